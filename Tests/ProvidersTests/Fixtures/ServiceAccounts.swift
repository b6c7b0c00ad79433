import JSON

@testable import Providers

enum ServiceAccounts {
    /// The content of a key file, with some members replaced.
    static func json(_ changes: JSONObject = [:]) throws -> JSON {
        var members: JSONObject = [
            "type": "service_account", "project_id": "test-project", "private_key_id": "key-1",
            "private_key": .string(try TestKeys.text("rsa")), "client_email": "sender@test-project.example.com",
            "token_uri": .string(FCMServiceAccount.googleTokenURI),
        ]
        for change in changes { members[change.key] = change.value }
        return .object(members)
    }

    static func account(_ changes: JSONObject = [:]) throws -> FCMServiceAccount {
        try FCMServiceAccount(json: json(changes).serialized())
    }
}
