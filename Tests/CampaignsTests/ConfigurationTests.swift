import Foundation
import JSON
import Push
import Schedules
import Testing

@testable import Campaigns

@Suite struct ConfigurationTests {
    private func read(_ text: String, path: String = "carillon.yaml") -> ConfigurationFile {
        ConfigurationFile(path: path, bytes: Array(text.utf8))
    }

    @Test func `without a file everything goes to the log provider and a local store`() {
        let configuration = Configuration()
        #expect(configuration.store == .sqlite(path: "carillon.sqlite"))
        #expect(configuration.apps.isEmpty)
        #expect(configuration.fallbackLog == LogSettings(path: "outbox/pushes.jsonl"))
        #expect(configuration.defaultTimezone == "UTC")
        #expect(configuration.engine == EngineSettings())
    }

    @Test func `every key is read`() throws {
        let file = read(
            """
            store: sqlite:data/c.sqlite
            apps:
              default:
                apns: {key: {file: AuthKey.p8}, key_id: ABC123DEFG, team_id: 1234567890, bundle_id: com.example.app,
                  environment: sandbox, endpoint: "https://127.0.0.1:8443", ca_file: ca.pem}
                log: {path: outbox/default.jsonl}
              shop:
                fcm: {service_account: {env: ACCOUNT}, project_id: p, endpoint: "http://[::1]:1",
                  token_endpoint: "https://host/token", ca_file: /ca.pem}
            defaults: {timezone: Europe/Berlin}
            engine: {page_size: 10, connections: 3, streams: 4, timeout: 1m, auto_prune_dead_tokens: false, max_concurrency: 5,
              http: curl}
            """, path: "/etc/carillon/carillon.yaml")
        let configuration = try #require(file.configuration, "\(file.diagnostics)")
        #expect(configuration.store == .sqlite(path: "data/c.sqlite"))
        #expect(configuration.path("ca.pem") == "/etc/carillon/ca.pem" && configuration.path("/ca.pem") == "/ca.pem")
        #expect(configuration.apps.map(\.id) == [nil, "shop"])
        #expect(configuration.fallbackLog == nil)
        let apns = try #require(configuration.apps.first?.apns)
        #expect(apns.key == .file("AuthKey.p8") && apns.keyID == "ABC123DEFG" && apns.teamID == "1234567890")
        #expect(apns.bundleID == "com.example.app" && apns.environment == .sandbox)
        #expect(apns.endpoint == "https://127.0.0.1:8443" && apns.caFile == "ca.pem")
        #expect(configuration.apps.first?.log == LogSettings(path: "outbox/default.jsonl"))
        let fcm = try #require(configuration.apps.last?.fcm)
        #expect(fcm.serviceAccount == .environment("ACCOUNT") && fcm.projectID == "p")
        #expect(fcm.endpoint == "http://[::1]:1" && fcm.tokenEndpoint == "https://host/token")
        #expect(configuration.defaultTimezone == "Europe/Berlin")
        #expect(configuration.campaignSettings.defaultTimezone == "Europe/Berlin")
        var engine = EngineSettings()
        engine.pageSize = 10
        engine.connections = 3
        engine.streams = 4
        engine.timeout = TimeSpan(seconds: 60)
        engine.autoPruneDeadTokens = false
        engine.maxConcurrency = 5
        engine.http = .curl
        #expect(configuration.engine == engine)
    }

    @Test(arguments: [
        ("carillon.yaml", "a"), ("./carillon.yaml", "./a"), ("/carillon.yaml", "//a"), ("x/c.yaml", "x/a"),
    ])
    func `paths begin at the folder of the file`(file: String, expected: String) throws {
        #expect(try #require(read("{}", path: file).configuration).path("a") == expected)
    }

    @Test(arguments: [
        ("apps: {default: {apns: {key: s3cr3t-material, keyid: x}}}", 1),
        ("apps:\n  default:\n    fcm:\n      service_account: s3cr3t-material\n", 4),
        ("apps: {default: {fcm: {service_account: [s3cr3t-material]}}}", 1),
    ])
    func `a secret in the file is an error that never shows it`(text: String, line: Int) {
        let file = read(text)
        #expect(file.configuration == nil)
        #expect(file.diagnostics.contains { $0.code == .literalSecret && $0.place.line == line })
        for diagnostic in file.diagnostics {
            #expect(!diagnostic.text.contains("s3cr3t"))
            #expect(!diagnostic.json.serialized(pretty: false).contains("s3cr3t"))
        }
    }

    @Test(arguments: [
        ("apps: {default: {log: {}}}", "log needs path"), ("apps: {default: {}}", "has no provider"),
        ("apps: {default: {wns: {}}}", "not available in this version"),
        ("store: postgresql://localhost/x", "PostgreSQL is not available in this version"),
        ("store: data.db", "written like sqlite:"), ("engine: {max_concurrency: 0}", "must be from 1 to 10000"),
        ("engine: {timeout: 11m}", "must be 10m or shorter"), ("engine: {page_sise: 5}", "unknown key"),
        (
            "apps: {default: {fcm: {service_account: {env: A}, endpoint: \"http://example.com\"}}}",
            "must begin with https"
        ),
        ("apps: {default: {fcm: {service_account: {env: A}, endpoint: \"https://a:b@example.com\"}}}", "written like"),
        ("apps: {default: {fcm: {service_account: {env: A}, endpoint: \"https://example.com/v1\"}}}", "written like"),
        ("apps: {default: {fcm: {service_account: {env: A}, endpoint: \"https://example.com:0\"}}}", "written like"),
        ("defaults: {timezone: Mars/Olympus}", "there is no time zone"), ("a: [", "expected a value"),
    ])
    func `what is wrong is said`(text: String, message: String) {
        let file = read(text)
        #expect(file.configuration == nil)
        #expect(file.diagnostics.count == 1)
        #expect(file.diagnostics.first?.message.contains(message) == true, "\(file.diagnostics)")
    }

    @Test func `a file that is asked for and not there is an error`() {
        let file = ConfigurationFile.read("/nowhere/carillon.yaml")
        #expect(file.configuration == nil)
        #expect(
            file.diagnostics.map(\.description)
                == ["/nowhere/carillon.yaml:1:1: error: the file cannot be read: no such file or directory"])
    }
}

@Suite struct SecretTests {
    @Test func `a secret is read from a file beside the configuration`() throws {
        let folder = try TemporaryFolder()
        try folder.write("key.p8", "material\n")
        let configuration = Configuration(folder: folder.path)
        #expect(try Secret.file("key.p8").value(in: configuration).exposedText == "material\n")
        let missing = #expect(throws: SecretError.self) { try Secret.file("other.p8").value(in: configuration) }
        #expect(missing?.description == "the file \(folder.path)/other.p8 cannot be read: no such file or directory")
        try folder.write("empty.p8", "")
        #expect(throws: SecretError.self) { try Secret.file("empty.p8").value(in: configuration) }
    }

    @Test func `a secret is read from the environment`() throws {
        let configuration = Configuration()
        let name = try #require(ProcessInfo.processInfo.environment.first { !$0.value.isEmpty })
        #expect(try Secret.environment(name.key).value(in: configuration).exposedText == name.value)
        let missing = #expect(throws: SecretError.self) {
            try Secret.environment("CARILLON_TEST_NO_SUCH_VARIABLE").value(in: configuration)
        }
        #expect(missing?.description == "the environment variable CARILLON_TEST_NO_SUCH_VARIABLE is not set")
    }

    @Test func `a secret's value is never printed`() {
        let value = SecretValue(Array("material".utf8))
        var dumped = ""
        dump(value, to: &dumped)
        for text in ["\(value)", String(describing: value), String(reflecting: value), "\([value])", dumped] {
            #expect(!text.contains("material") && !text.contains("109"))
        }
    }
}
