internal import Push

/// `skip_tagged`: leaves out devices that have any of some tags.
struct SkipTaggedInterceptor: PushInterceptor {
    let tags: [String]

    var name: String { "skip_tagged" }

    func beforeSend(_ context: inout PushSendContext) async throws -> InterceptorResult {
        guard let tag = tags.first(where: { context.registration.tags.contains($0) }) else { return .proceed }
        return .skip(reason: "skip_tagged: the device is tagged \"\(tag)\"")
    }
}
