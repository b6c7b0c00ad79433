import Synchronization

/// One call of `send`: the requests, which of them are taken, and their outcomes.
///
/// Several workers serve one batch. Each takes the next request when it has room, so that a slow connection never holds
/// up the others' share.
final class RequestBatch: Sendable {
    typealias Outcome = Result<HTTPResponse, HTTPFailure>

    let requests: [HTTPRequest]
    let origin: HTTPOrigin
    private let next = Atomic<Int>(0)
    private let workersLeft: Atomic<Int>
    private let cancelled = Atomic<Bool>(false)
    private let progress: Mutex<Progress>

    private struct Progress {
        var outcomes: [Outcome]
        var missing: Int
        var continuation: CheckedContinuation<[Outcome], Never>?
    }

    init(
        _ requests: [HTTPRequest], to origin: HTTPOrigin, workers: Int,
        continuation: CheckedContinuation<[Outcome], Never>
    ) {
        self.requests = requests
        self.origin = origin
        workersLeft = Atomic(workers)
        let unset = Outcome.failure(.cancelled(origin, mayHaveBeenProcessed: false))
        progress = Mutex(
            Progress(
                outcomes: Array(repeating: unset, count: requests.count), missing: requests.count,
                continuation: continuation))
    }

    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    var hasUntaken: Bool { next.load(ordering: .relaxed) < requests.count }

    /// The index of a request that nobody has taken; `nil` when there is none left.
    func take() -> Int? {
        guard next.load(ordering: .relaxed) < requests.count else { return nil }
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        return index < requests.count ? index : nil
    }

    /// Records the outcome of a taken request. The last one resumes the task that waits for the batch.
    func finish(_ index: Int, with outcome: Outcome) {
        let done: (CheckedContinuation<[Outcome], Never>, [Outcome])? = progress.withLock { progress in
            progress.outcomes[index] = outcome
            progress.missing -= 1
            guard progress.missing == 0, let continuation = progress.continuation else { return nil }
            progress.continuation = nil
            return (continuation, progress.outcomes)
        }
        if let (continuation, outcomes) = done { continuation.resume(returning: outcomes) }
    }

    /// A worker cannot reach the server and gives up its part; where no other is left, the remaining requests fail.
    func leave(because failure: HTTPFailure) {
        guard workersLeft.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
        failUntaken(failure)
    }

    /// Fails what nobody has taken.
    func cancel() {
        cancelled.store(true, ordering: .relaxed)
        failUntaken(.cancelled(origin, mayHaveBeenProcessed: false))
    }

    private func failUntaken(_ failure: HTTPFailure) {
        while let index = take() { finish(index, with: .failure(failure)) }
    }
}

extension HTTPFailure {
    static func cancelled(_ origin: HTTPOrigin, mayHaveBeenProcessed: Bool) -> HTTPFailure {
        HTTPFailure(
            kind: .cancelled, message: "The request to \(origin) was cancelled.",
            mayHaveBeenProcessed: mayHaveBeenProcessed)
    }
}
