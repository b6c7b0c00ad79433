/// A provider that sends one message at a time, for transports that know nothing better.
///
/// What it throws fails the one message.
public protocol SinglePushProvider: PushProvider {
    /// How many messages it sends at a time. Ten unless it says otherwise.
    var maxConcurrency: Int { get }

    func send(_ message: PushMessage) async throws -> PushOutcome
}

extension SinglePushProvider {
    public var maxConcurrency: Int { 10 }

    public func send(_ messages: [PushMessage]) async throws -> [PushOutcome] {
        var outcomes = [PushOutcome?](repeating: nil, count: messages.count)
        await withTaskGroup(of: (Int, PushOutcome).self) { group in
            for (index, message) in messages.enumerated() {
                if index >= max(1, maxConcurrency), let (done, outcome) = await group.next() {
                    outcomes[done] = outcome
                }
                group.addTask { (index, await self.outcome(of: message)) }
            }
            for await (done, outcome) in group { outcomes[done] = outcome }
        }
        return outcomes.map { $0 ?? PushOutcome(.error, reason: "the provider gave no outcome") }
    }

    private func outcome(of message: PushMessage) async -> PushOutcome {
        guard !Task.isCancelled else {
            return PushOutcome(.error, reason: "not sent: the batch was cancelled first")
        }
        do {
            return try await send(message)
        } catch {
            if error is CancellationError || Task.isCancelled {
                return PushOutcome(.uncertain, reason: "the batch was cancelled before an answer came")
            }
            return PushOutcome(.error, reason: "\(identifier) failed: \(error)")
        }
    }
}
