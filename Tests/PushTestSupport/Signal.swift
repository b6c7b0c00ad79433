import Synchronization

/// Something that happens once and can be waited for.
package final class Signal: Sendable {
    private let state = Mutex<(fired: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    package init() {}

    package func fire() {
        let waiting = state.withLock { state in
            defer { state = (true, []) }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits for the signal or for the cancellation of the task.
    package func wait() async {
        await withTaskCancellationHandler {
            await waitWhateverHappens()
        } onCancel: {
            fire()
        }
    }

    package func waitWhateverHappens() async {
        await withCheckedContinuation { continuation in
            let fired = state.withLock { state in
                if !state.fired { state.waiting.append(continuation) }
                return state.fired
            }
            if fired { continuation.resume() }
        }
    }
}
