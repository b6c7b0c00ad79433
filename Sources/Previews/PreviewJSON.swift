import FoundationEssentials
package import JSON
import Push

extension CampaignPreview {
    /// `campaign`, `occurrence`, `nothing` and `devices`, each with its request as it would go on the wire.
    package var json: JSONObject {
        [
            "campaign": .string(campaign), "occurrence": .string("\(occurrence)"),
            "nothing": nothing.map { .string($0) } ?? .null,
            "devices": .array(devices.map { .object($0.json) }),
        ]
    }
}

extension DevicePreview {
    var json: JSONObject {
        var object: JSONObject = [
            "device": .object(registration.previewJSON), "provider": provider.map { .string($0) } ?? .null,
        ]
        switch outcome {
        case .request(let request):
            object["status"] = "would_send"
            object["request"] = request.map { .object($0.json) } ?? .null
        case .skipped(let reason):
            object["status"] = "skipped"
            object["reason"] = .string(reason)
        case .failed(let status, let reason):
            object["status"] = .string(status.rawValue)
            object["reason"] = .string(reason)
        }
        return object
    }
}

extension Registration {
    /// What tells the device apart; `id` is null for one that is made up.
    fileprivate var previewJSON: JSONObject {
        var object: JSONObject = [
            "id": id == .unsaved ? .null : .int(id.rawValue), "token": .string(token),
            "platform": .string(platform.rawValue),
        ]
        if let appID { object["app_id"] = .string(appID) }
        if let userID { object["user"] = .string(userID) }
        if let locale { object["locale"] = .string(locale) }
        return object
    }
}

extension ProviderRequest {
    /// `method`, `origin`, `path`, `headers` and `body`: a JSON body as it is, another one in base64 as `body_base64`.
    package var json: JSONObject {
        var object: JSONObject = [
            "method": .string(method), "origin": .string(origin), "path": .string(path),
            "headers": .object(JSONObject(headers.map { ($0.name, .string($0.value)) })),
        ]
        if let body = bodyJSON {
            object["body"] = body
        } else {
            object["body_base64"] = .string(Data(body).base64EncodedString())
        }
        return object
    }

    /// The body, when it is JSON.
    var bodyJSON: JSON? { try? JSON(parsing: body) }
}
