import Synchronization

/// A thread that serves the requests of batches.
protocol BatchWorker: AnyObject, Sendable {
    func add(_ batch: RequestBatch)

    /// Gives up what is in flight of a batch; what nobody has taken has its outcome already.
    func cancel(_ batch: RequestBatch)
}

extension Array where Element: BatchWorker {
    /// Sends a batch through these workers and waits for its outcomes.
    func send(_ requests: [HTTPRequest], to origin: HTTPOrigin) async -> [RequestBatch.Outcome] {
        if requests.isEmpty { return [] }
        let serving = serving(requests.count, of: origin)
        let current = CurrentBatch()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let batch = RequestBatch(requests, to: origin, workers: serving.count, continuation: continuation)
                let isCancelled = current.set(batch)
                if isCancelled {
                    batch.cancel()
                } else {
                    for worker in serving { worker.add(batch) }
                }
            }
        } onCancel: {
            guard let batch = current.cancel() else { return }
            batch.cancel()
            for worker in serving { worker.cancel(batch) }
        }
    }

    /// A small batch stays with one worker, always the same for an origin, so that a single request opens one
    /// connection and finds it again.
    private func serving(_ requests: Int, of origin: HTTPOrigin) -> [Element] {
        let wanted = Swift.min(count, (requests + 15) / 16)
        if wanted == count { return self }
        let start = Int(origin.hashValue.magnitude % UInt(count))
        return (0..<wanted).map { self[(start + $0) % count] }
    }
}

/// The batch of a `send`, which may be cancelled before it exists.
private final class CurrentBatch: Sendable {
    private let state = Mutex<(batch: RequestBatch?, isCancelled: Bool)>((nil, false))

    /// - Returns: whether the task was cancelled before.
    func set(_ batch: RequestBatch) -> Bool {
        state.withLock { state in
            state.batch = batch
            return state.isCancelled
        }
    }

    func cancel() -> RequestBatch? {
        state.withLock { state in
            state.isCancelled = true
            return state.batch
        }
    }
}
