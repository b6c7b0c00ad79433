import Testing

@testable import HTTPClient

@Suite struct StreamWindowTests {
    private let now = ContinuousClock.now

    /// A window whose first request was answered.
    private func openWindow(connections: Int = 1, streams: Int, isMultiplexed: Bool = true) -> StreamWindow {
        var window = StreamWindow(connections: connections, streams: streams)
        window.start()
        window.write(isMultiplexed: isMultiplexed, at: now)
        window.answer()
        window.end(wasWritten: true)
        return window
    }

    /// Starts what fits, of which the server lets `streams` out.
    private func fill(_ window: inout StreamWindow, streams: Int) {
        for _ in 0..<window.room { window.start() }
        while window.inFlight - window.unwritten < streams, window.unwritten > 0 {
            window.write(isMultiplexed: true, at: now)
        }
        window.settle(at: now)
    }

    @Test func `one request goes ahead until it is answered`() {
        var window = StreamWindow(connections: 2, streams: 50)
        #expect(window.room == 1)
        window.start()
        #expect(window.room == 0)
        window.write(isMultiplexed: true, at: now)
        #expect(window.room == 0)
        window.answer()
        #expect(window.room == 99)
        window.close()
        #expect(window.room == 0)
        window.end(wasWritten: true)
        #expect(window.room == 1)
    }

    @Test func `a first request without an answer holds the others up for half a second`() {
        var window = StreamWindow(connections: 1, streams: 10)
        window.start()
        window.write(isMultiplexed: true, at: now)
        window.settle(at: now + .milliseconds(499))
        #expect(window.room == 0)
        window.settle(at: now + .milliseconds(500))
        #expect(window.room == 9)
    }

    @Test func `a first request that fails lets the next one try`() {
        var window = StreamWindow(connections: 1, streams: 10)
        window.start()
        window.write(isMultiplexed: true, at: now)
        window.end(wasWritten: true)
        #expect(window.phase == .closed)
        #expect(window.room == 1)
    }

    @Test func `the window shrinks to what the server grants and grows again`() {
        var window = openWindow(streams: 100)
        fill(&window, streams: 10)
        #expect(window.limit == 10)
        #expect(window.room == 0)
        var turns = 0
        while window.limit < 100, turns < 100 {
            for _ in 0..<window.inFlight - window.unwritten { window.end(wasWritten: true) }
            fill(&window, streams: 1_000)
            turns += 1
        }
        #expect(window.limit == 100)
        #expect(turns < 30)
    }

    @Test func `it never closes entirely, and says when nothing moves`() {
        var window = openWindow(streams: 100)
        fill(&window, streams: 0)
        #expect(window.limit == 1)
        #expect(window.isStalled)
        while window.inFlight > 0 { window.end(wasWritten: false) }
        #expect(!window.isStalled)
        #expect(window.room == 1)
    }

    @Test func `HTTP/1 carries one request a connection`() {
        var window = openWindow(connections: 2, streams: 100, isMultiplexed: false)
        #expect(window.room == 2)
        for _ in 0..<2 {
            window.start()
            window.write(isMultiplexed: false, at: now)
        }
        window.settle(at: now)
        #expect(window.limit == 2)
        #expect(window.room == 0)
    }
}

@Suite struct ResponseHeaderLineTests {
    private func status(_ line: String) -> Int {
        unsafe Array(line.utf8).withUnsafeBytes { unsafe ResponseHeaderLine.status($0) }
    }

    private func field(_ line: String) -> HTTPHeader? {
        unsafe Array(line.utf8).withUnsafeBytes { unsafe ResponseHeaderLine.field($0) }
    }

    @Test(arguments: [
        ("HTTP/2 200 \r\n", 200), ("HTTP/1.1 404 Not Found\r\n", 404), ("HTTP/2", 0), ("HTTP/2 ", 0), ("HTTP/2 2", 2),
        ("HTTP/2 abc", 0),
    ])
    func `a status line gives its code`(line: String, code: Int) {
        #expect(status(line) == code)
    }

    @Test(arguments: [
        ("apns-id: 1\r\n", HTTPHeader("apns-id", "1")), ("Retry-After:  5 \r\n", HTTPHeader("retry-after", "5")),
        ("x:\r\n", HTTPHeader("x", "")), ("x: a: b\r\n", HTTPHeader("x", "a: b")),
    ])
    func `a field line gives name and value`(line: String, expected: HTTPHeader) {
        #expect(field(line) == expected)
    }

    @Test(arguments: ["\r\n", "", ": x\r\n", "no colon\r\n"])
    func `what is no field gives none`(line: String) {
        #expect(field(line) == nil)
    }
}
