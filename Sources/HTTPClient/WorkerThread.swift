import Glibc

/// Threads of this module. Nobody collects their result.
enum WorkerThread {
    /// Starts a thread on which no signal is handled: a write to a connection that the other side has closed raises
    /// SIGPIPE on the thread that writes, and everybody else's signals are not the business of this one.
    ///
    /// - Returns: nil, or the system's error number.
    static func start(_ body: @escaping @Sendable () -> Void) -> Int32? {
        let context = unsafe Unmanaged.passRetained(ThreadBody(body))
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread, nil,
            { context in
                guard let context = unsafe context else { return nil }
                let body = unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue()
                WorkerThread.blockSignals()
                body.run()
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            unsafe context.release()
            return code
        }
        pthread_detach(thread)
        return nil
    }

    private static func blockSignals() {
        var all = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
    }
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
