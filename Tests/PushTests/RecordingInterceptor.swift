import Push
import Synchronization

struct TestFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String = "on purpose") { self.description = description }
}

/// An interceptor made of closures, which keeps the order of its calls.
final class RecordingInterceptor: PushInterceptor {
    let name: String
    private let before: @Sendable (inout PushSendContext) throws -> InterceptorResult
    private let outcome: @Sendable (PushSendContext, PushDeliveryResult) throws -> Void
    private let kept: CallList

    init(
        _ name: String = "recording", calls: CallList = CallList(),
        before: @escaping @Sendable (inout PushSendContext) throws -> InterceptorResult = { _ in .proceed },
        outcome: @escaping @Sendable (PushSendContext, PushDeliveryResult) throws -> Void = { _, _ in }
    ) {
        self.name = name
        self.kept = calls
        self.before = before
        self.outcome = outcome
    }

    var calls: [String] { kept.calls }

    func beforeSend(_ context: inout PushSendContext) async throws -> InterceptorResult {
        kept.add("\(name) before \(context.registration.token)")
        return try before(&context)
    }

    func onSent(_ context: PushSendContext, _ result: PushDeliveryResult) async throws {
        kept.add("\(name) sent \(result.token)")
        try outcome(context, result)
    }

    func onFailed(_ context: PushSendContext, _ result: PushDeliveryResult) async throws {
        kept.add("\(name) failed \(result.token)")
        try outcome(context, result)
    }
}

/// Calls of several interceptors in one order.
final class CallList: Sendable {
    private let kept = Mutex<[String]>([])

    var calls: [String] { kept.withLock { $0 } }

    func add(_ call: String) { kept.withLock { $0.append(call) } }
}
