import Synchronization

/// The box through which others reach a worker's thread. Whoever puts something in wakes the thread afterwards.
final class WorkerInbox: Sendable {
    private struct State {
        var added: [RequestBatch] = []
        var cancelled: [RequestBatch] = []
        var isStopping = false
        var hasEnded = false
        var waitingForEnd: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var isStopping: Bool { state.withLock { $0.isStopping } }

    /// Takes a batch in, or gives it up where the worker is stopping.
    ///
    /// - Returns: whether it was taken in.
    func add(_ batch: RequestBatch) -> Bool {
        let isStopping = state.withLock { state in
            if !state.isStopping { state.added.append(batch) }
            return state.isStopping
        }
        if isStopping { batch.leave(because: .cancelled(batch.origin, mayHaveBeenProcessed: false)) }
        return !isStopping
    }

    func cancel(_ batch: RequestBatch) { state.withLock { $0.cancelled.append(batch) } }

    func stop() { state.withLock { $0.isStopping = true } }

    /// Empties the box, for the thread.
    func take() -> (added: [RequestBatch], cancelled: [RequestBatch], isStopping: Bool) {
        state.withLock { state in
            defer {
                state.added.removeAll(keepingCapacity: true)
                state.cancelled.removeAll(keepingCapacity: true)
            }
            return (state.added, state.cancelled, state.isStopping)
        }
    }

    /// Returns when the thread has ended.
    func waitForEnd() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.waitingForEnd.append(continuation) }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }

    /// Tells those who wait that the thread has given up its connections.
    func end() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.waitingForEnd = [] }
            return state.waitingForEnd
        }
        for continuation in waiting { continuation.resume() }
    }
}
