import HTTPClient
import JSON
import Testing

@testable import Providers

@Suite struct FCMServiceAccountTests {
    @Test func `the console's file is read`() throws {
        let account = try FCMServiceAccount(json: ServiceAccounts.json().serialized(pretty: true))
        #expect(account.projectID == "test-project" && account.clientEmail == "sender@test-project.example.com")
        #expect(account.privateKeyID == "key-1" && account.tokenURI == FCMServiceAccount.googleTokenURI)
        let configuration = try FCMConfiguration(serviceAccount: account)
        #expect(configuration.projectID == "test-project")
        #expect(configuration.origin.description == "https://fcm.googleapis.com")
        #expect(configuration.tokenEndpoint.origin.description == "https://oauth2.googleapis.com")
        #expect(configuration.tokenEndpoint.path == "/token")
        #expect(try FCMConfiguration(serviceAccount: account, projectID: "other").projectID == "other")
    }

    @Test(
        arguments: [
            ("client_email", .null, "client_email"), ("client_email", "", "client_email"),
            ("private_key", .null, "private_key"), ("private_key", "nonsense", "private_key"),
            ("type", "authorized_user", "authorized_user"),
        ] as [(String, JSON, String)])
    func `a file that lacks something says what`(_ member: String, _ value: JSON, _ word: String) throws {
        let json = try ServiceAccounts.json([member: value])
        let error = #expect(throws: FCMServiceAccountError.self) { try FCMServiceAccount(json: json.serialized()) }
        #expect(error?.description.contains(word) == true)
    }

    @Test func `a file that is not JSON says where`() {
        let error = #expect(throws: FCMServiceAccountError.self) { try FCMServiceAccount(json: "{\"a\": }") }
        #expect(error?.description == "The service account is not JSON at line 1, column 7: a value is expected here.")
    }

    @Test(arguments: [
        "https://evil.example.com/token", "http://oauth2.googleapis.com/token",
        "https://oauth2.googleapis.com.evil.io/t",
        "https://oauth2.googleapis.com:8443/token", "https://googleapis.com@evil.example.com/", "file:///etc/passwd",
        "https://evilgoogleapis.com/token", "http://127.0.0.1:9/token",
    ])
    func `an assertion is sent to no host that the file alone names`(_ tokenURI: String) throws {
        let account = try FCMServiceAccount(json: ServiceAccounts.json(["token_uri": .string(tokenURI)]).serialized())
        #expect(throws: FCMServiceAccountError.self) { try FCMConfiguration(serviceAccount: account) }
        let override = try ProviderEndpoint("https://127.0.0.1:1/token")
        let configuration = try FCMConfiguration(serviceAccount: account, tokenEndpoint: override)
        #expect(configuration.tokenEndpoint == override)
    }

    @Test func `the configured endpoint is trusted for tokens too`() throws {
        let account = try FCMServiceAccount(
            json: ServiceAccounts.json(["token_uri": "https://127.0.0.1:8443/token"]).serialized())
        let endpoint = try ProviderEndpoint.origin("https://127.0.0.1:8443")
        let configuration = try FCMConfiguration(serviceAccount: account, endpoint: endpoint)
        #expect(configuration.tokenEndpoint.path == "/token" && configuration.tokenEndpoint.origin == endpoint)
        let other = try ProviderEndpoint.origin("https://127.0.0.1:8444")
        #expect(throws: FCMServiceAccountError.self) { try FCMConfiguration(serviceAccount: account, endpoint: other) }
    }

    @Test(arguments: ["", "a/b", "A", "a b", "é"])
    func `a project id that does not fit into a path is refused`(_ projectID: String) throws {
        let account = try FCMServiceAccount(json: ServiceAccounts.json(["project_id": .null]).serialized())
        #expect(throws: FCMServiceAccountError.self) {
            try FCMConfiguration(serviceAccount: account, projectID: projectID)
        }
    }
}
