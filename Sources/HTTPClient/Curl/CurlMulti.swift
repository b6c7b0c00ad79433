import CCurl

/// Owns a multi handle.
///
/// `@unchecked Sendable`: one thread, the worker's, calls everything but `wake`, which libcurl allows from any thread
/// (curl_multi_wakeup(3)). The handle is freed with the last reference, when the worker's thread has let go of it.
@safe final class CurlMulti: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer

    init?(connectionsPerOrigin: Int, streams: Int) {
        // Once for the process, and thread-safe by Swift's rules for statics.
        guard Self.isLibraryReady, let handle = unsafe curl_multi_init() else { return nil }
        unsafe self.handle = handle
        set(CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        set(CURLMOPT_MAX_HOST_CONNECTIONS, connectionsPerOrigin)
        set(CURLMOPT_MAX_CONCURRENT_STREAMS, streams)
        set(CURLMOPT_MAXCONNECTS, max(64, 4 * connectionsPerOrigin))
    }

    deinit { unsafe curl_multi_cleanup(handle) }

    private static let isLibraryReady = carillon_global_init() == CURLE_OK

    private func set(_ option: CURLMoption, _ value: Int) { unsafe carillon_multi_set_long(handle, option, value) }

    func add(_ easy: UnsafeMutableRawPointer) -> Bool { unsafe curl_multi_add_handle(handle, easy) == CURLM_OK }

    func remove(_ easy: UnsafeMutableRawPointer) { unsafe curl_multi_remove_handle(handle, easy) }

    func perform() {
        var running: Int32 = 0
        unsafe curl_multi_perform(handle, &running)
    }

    func nextFinished() -> (easy: UnsafeMutableRawPointer, result: CURLcode)? {
        var result = CURLE_OK
        guard let easy = unsafe carillon_next_finished(handle, &result) else { return nil }
        return unsafe (easy, result)
    }

    /// Waits for traffic, for one of libcurl's own timers, or for `wake`.
    func wait(atMost time: Duration) {
        let (seconds, attoseconds) = time.components
        let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
        unsafe curl_multi_poll(handle, nil, 0, Int32(clamping: milliseconds), nil)
    }

    func wake() { unsafe curl_multi_wakeup(handle) }
}
