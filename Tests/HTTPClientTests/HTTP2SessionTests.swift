import Testing

@testable import HTTPClient

/// A session with a server that the test plays.
private final class Exchange {
    let session: HTTP2Session
    private let head: RequestHead
    var now = MonotonicTime(nanoseconds: 1_000_000_000)
    let timeout = Duration.seconds(30)

    /// - Parameter settings: what the server begins with; nil to let it say nothing.
    init(streams: Int = 100, maxResponseBytes: Int = 1_000, settings: HTTP2Frame? = .streams(100)) throws {
        session = try #require(HTTP2Session(streams: streams, maxResponseBytes: maxResponseBytes, now: now))
        head = try RequestHead(
            method: "POST", authority: "localhost", sharedFields: [HTTPHeader("apns-topic", "com.example")])
        if let settings { receive(settings) }
    }

    @discardableResult
    func start(_ labels: ClosedRange<Int>, body: [UInt8] = [1, 2, 3]) throws -> Bool {
        var isTaken = true
        for label in labels {
            let fields = unsafe try head.lay(HTTPRequest(method: "POST", path: "/\(label)", body: body))
            isTaken = unsafe session.start(label, fields: fields, body: body, deadline: now + timeout, now: now)
        }
        return isTaken
    }

    /// What the client has to say, all of it written.
    @discardableResult
    func written() -> [HTTP2Frame] {
        var bytes: [UInt8] = []
        session.produce()
        while session.pendingBytes > 0 {
            unsafe session.handOver { part in
                unsafe bytes.append(contentsOf: part)
                return part.count
            }
            session.produce()
        }
        return HTTP2Frame.frames(in: bytes)
    }

    func receive(_ frames: HTTP2Frame...) {
        unsafe frames.flatMap(\.bytes).withUnsafeBytes { unsafe session.receive($0, at: now) }
    }

    /// What has finished since the last time, by label.
    func finished() -> [Int: HTTP2StreamEnd] {
        defer { session.clearFinished() }
        return Dictionary(uniqueKeysWithValues: session.finished.map { ($0.label, $0.end) })
    }
}

private let ok = HTTP2StreamEnd.response(HTTPResponse(status: 200))

@Suite struct HTTP2SessionTests {
    @Test func `before the server has told its limit a single request may start`() throws {
        let exchange = try Exchange(settings: nil)
        #expect(exchange.session.room == 1)
        try exchange.start(1...1)
        #expect(exchange.session.room == 0)
        exchange.receive(.streams(3))
        #expect(exchange.session.room == 2)
        try exchange.start(2...3)
        #expect(exchange.session.room == 0)
        #expect(exchange.written().filter { $0.kind == .headers }.map(\.stream) == [1, 3, 5])
    }

    @Test func `the configured limit holds where the server grants more`() throws {
        #expect(try Exchange(streams: 7).session.room == 7)
    }

    @Test func `a limit that the server lowers or raises holds at once`() throws {
        let exchange = try Exchange()
        try exchange.start(1...50)
        exchange.written()
        exchange.receive(.streams(1))
        #expect(exchange.session.room == 0)
        for stream in 0..<50 { exchange.receive(.answer(UInt32(2 * stream + 1))) }
        #expect(exchange.finished().count == 50)
        #expect(exchange.session.room == 1)
        exchange.receive(.streams(0))
        #expect(exchange.session.room == 0)
        exchange.receive(.streams(80))
        #expect(exchange.session.room == 80)
    }

    @Test func `the requests of many streams leave in one record`() throws {
        let exchange = try Exchange()
        exchange.written()
        try exchange.start(1...100)
        #expect(exchange.session.pendingBytes < HTTP2Session.recordSize)
        var frames: [HTTP2Frame] = []
        unsafe exchange.session.handOver { part in
            frames = unsafe HTTP2Frame.frames(in: Array(part))
            return part.count
        }
        #expect(frames.count == 200)
        #expect(exchange.session.pendingBytes == 0)
    }

    @Test func `what a GOAWAY leaves out was refused, and what it names is awaited`() throws {
        let exchange = try Exchange()
        try exchange.start(1...4)
        exchange.written()
        exchange.receive(.goAway(last: 3, code: 11, #"{"reason":"Shutdown"}"#))
        #expect(exchange.finished() == [3: .refused(byGoAway: true), 4: .refused(byGoAway: true)])
        #expect(exchange.session.isDraining && !exchange.session.isOver)
        #expect(exchange.session.room == 0)
        #expect(exchange.session.goAway == HTTP2GoAway(lastStream: 3, code: 11, text: #"{"reason":"Shutdown"}"#))
        exchange.receive(.answer(1), .answer(3))
        #expect(exchange.finished() == [1: ok, 2: ok])
        exchange.written()
        #expect(exchange.session.isOver)
    }

    @Test func `a GOAWAY before its time leaves nothing out, the final one does`() throws {
        let exchange = try Exchange()
        try exchange.start(1...3)
        exchange.written()
        exchange.receive(.goAway(last: 0x7FFF_FFFF))
        #expect(exchange.session.isDraining)
        #expect(exchange.finished() == [:])
        exchange.receive(.goAway(last: 1))
        #expect(exchange.finished() == [2: .refused(byGoAway: true), 3: .refused(byGoAway: true)])
        exchange.receive(.answer(1))
        #expect(exchange.finished() == [1: ok])
    }

    @Test func `a connection that is cut after a GOAWAY loses only what the server had taken`() throws {
        let exchange = try Exchange()
        try exchange.start(1...3)
        exchange.written()
        exchange.receive(.goAway(last: 3))
        exchange.session.end()
        #expect(
            exchange.finished() == [
                1: .lost(wasWritten: true), 2: .lost(wasWritten: true), 3: .refused(byGoAway: true),
            ])
    }

    @Test(arguments: [
        (UInt32(7), HTTP2StreamEnd.refused(byGoAway: false)), (2, .reset(code: 2)), (0, .reset(code: 0)),
        (11, .reset(code: 11)),
    ])
    func `a reset stream ends alone, as its code says`(code: UInt32, end: HTTP2StreamEnd) throws {
        let exchange = try Exchange()
        try exchange.start(1...2)
        exchange.written()
        exchange.receive(.reset(1, code: code), .answer(3))
        #expect(exchange.finished() == [1: end, 2: ok])
        #expect(exchange.session.inFlight == 0 && exchange.session.room == 100)
    }

    @Test func `a request of which no byte was offered to the socket was not written`() throws {
        let exchange = try Exchange()
        exchange.written()
        try exchange.start(1...1)
        // The socket takes nothing, but it may have sent the beginning of the record: that is beyond knowing.
        unsafe exchange.session.handOver { _ in 0 }
        try exchange.start(2...2)
        exchange.session.end()
        #expect(exchange.finished() == [1: .lost(wasWritten: true), 2: .lost(wasWritten: false)])
    }

    @Test func `a request is given up at its deadline, and a silent connection with it`() throws {
        let exchange = try Exchange()
        try exchange.start(1...2)
        exchange.written()
        exchange.receive(.head(3, status: 200))
        exchange.now = exchange.now + .seconds(29)
        exchange.session.expire(at: exchange.now)
        #expect(exchange.finished() == [:])
        #expect(exchange.session.nextExpiry == exchange.now + .seconds(1))
        exchange.now = exchange.now + .seconds(1)
        exchange.session.expire(at: exchange.now)
        #expect(exchange.finished() == [1: .timedOut(wasWritten: true), 2: .timedOut(wasWritten: true)])
        #expect(exchange.session.isDraining)
        #expect(exchange.written().map(\.kind) == [.reset, .reset])
        exchange.receive(.data(3, 5, endsStream: true))
        #expect(exchange.finished() == [:])
        #expect(exchange.session.inFlight == 0)
    }

    @Test func `a connection that answered others meanwhile stays in use`() throws {
        let exchange = try Exchange()
        try exchange.start(1...2)
        exchange.written()
        exchange.now = exchange.now + .seconds(30)
        exchange.receive(.answer(3))
        exchange.session.expire(at: exchange.now)
        #expect(exchange.finished() == [1: .timedOut(wasWritten: true), 2: ok])
        #expect(!exchange.session.isDraining)
        exchange.written()
        #expect(exchange.session.room == 100)
    }

    @Test func `a cancelled request is reset, and its late answer is nobody's`() throws {
        let exchange = try Exchange()
        try exchange.start(1...2)
        exchange.written()
        try exchange.start(3...3)
        exchange.session.cancel { $0 != 2 }
        #expect(exchange.finished() == [1: .cancelled(wasWritten: true), 3: .cancelled(wasWritten: false)])
        exchange.receive(.answer(1), .answer(3))
        #expect(exchange.finished() == [2: ok])
    }

    @Test func `a body waits for the windows of its stream and of the connection`() throws {
        let exchange = try Exchange(settings: .settings((3, 100), (4, 10)))
        exchange.written()
        try exchange.start(1...1, body: Array(repeating: 7, count: 25))
        func bodies() -> [[UInt8]] { exchange.written().filter { $0.kind == .data }.map(\.payload) }
        #expect(bodies() == [Array(repeating: 7, count: 10)])
        exchange.receive(.windowUpdate(1, by: 100))
        #expect(bodies() == [Array(repeating: 7, count: 15)])
        exchange.receive(.settings((4, 1_000_000)))
        try exchange.start(2...2, body: Array(repeating: 8, count: 100_000))
        #expect(bodies().reduce(0) { $0 + $1.count } == 65_535 - 25)
        exchange.receive(.windowUpdate(0, by: 1_000_000))
        #expect(bodies().reduce(0) { $0 + $1.count } == 100_000 - 65_535 + 25)
        exchange.receive(.answer(1), .answer(3))
        #expect(exchange.finished() == [1: ok, 2: ok])
    }

    @Test func `an answer before the body is through counts, and the stream is left when the server ends it`() throws {
        let exchange = try Exchange(settings: .settings((3, 1), (4, 10)))
        try exchange.start(1...1, body: Array(repeating: 7, count: 25))
        exchange.written()
        exchange.receive(.answer(1))
        #expect(exchange.finished() == [1: ok])
        #expect(exchange.session.room == 0)
        exchange.receive(.reset(1, code: 0))
        #expect(exchange.finished() == [:])
        #expect(exchange.session.room == 1)
    }

    @Test func `interim responses and trailers are left out of the response`() throws {
        let exchange = try Exchange()
        try exchange.start(1...1)
        exchange.written()
        exchange.receive(
            .head(1, status: 103, [("link", "a")]), .head(1, status: 100),
            .head(1, status: 410, [("apns-id", "x"), ("content-type", "text/plain")]),
            .data(1, 3, endsStream: false), .data(1, 2, endsStream: false),
            .head(1, status: nil, [("trailer", "t")], endsStream: true))
        let expected = HTTPResponse(
            status: 410, headers: [HTTPHeader("apns-id", "x"), HTTPHeader("content-type", "text/plain")],
            body: Array("xxxxx".utf8))
        #expect(exchange.finished() == [1: .response(expected)])
    }

    @Test func `a response that grows too long is given up alone`() throws {
        let exchange = try Exchange(maxResponseBytes: 10)
        try exchange.start(1...2)
        exchange.written()
        exchange.receive(.head(1, status: 200), .data(1, 10, endsStream: false), .head(3, status: 200))
        #expect(exchange.finished() == [:])
        exchange.receive(.data(1, 1, endsStream: true), .data(3, 10, endsStream: true))
        #expect(
            exchange.finished() == [
                1: .tooLarge, 2: .response(HTTPResponse(status: 200, body: Array(repeating: 120, count: 10))),
            ])
    }

    @Test func `a PING is answered, and one of our own is sent`() throws {
        let exchange = try Exchange()
        exchange.written()
        exchange.receive(HTTP2Frame(kind: .ping, payload: [1, 2, 3, 4, 5, 6, 7, 8]))
        let answer = HTTP2Frame(kind: .ping, flags: HTTP2Frame.acknowledgement, payload: [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(exchange.written() == [answer])
        exchange.session.ping()
        #expect(exchange.written().map(\.kind) == [.ping])
    }

    @Test func `a connection whose protocol is broken is over`() throws {
        let exchange = try Exchange()
        try exchange.start(1...1)
        exchange.written()
        exchange.receive(HTTP2Frame(kind: .settings, payload: [1]))
        #expect(exchange.session.isDraining)
        #expect(exchange.written().map(\.kind) == [.goAway])
        #expect(exchange.session.isOver)
        exchange.session.end()
        #expect(exchange.finished() == [1: .lost(wasWritten: true)])
    }

    @Test func `saying good-bye ends a connection without requests`() throws {
        let exchange = try Exchange()
        exchange.written()
        exchange.session.terminate()
        #expect(exchange.session.isDraining)
        #expect(exchange.written().map(\.kind) == [.goAway])
        #expect(exchange.session.isOver)
    }

    @Test func `slots of closed streams are used again for other requests`() throws {
        let exchange = try Exchange()
        for round in 0..<50 {
            try exchange.start(round * 3...round * 3 + 2)
            exchange.written()
            let first = UInt32(round * 6 + 1)
            exchange.receive(.answer(first + 4), .reset(first + 2, code: 7), .answer(first))
            #expect(
                exchange.finished() == [
                    round * 3: ok, round * 3 + 1: .refused(byGoAway: false), round * 3 + 2: ok,
                ])
        }
    }
}

@Suite struct ConnectionAttemptsTests {
    @Test func `connections that bring nothing are made ever more slowly, then no more`() {
        let now = MonotonicTime(nanoseconds: 0)
        var attempts = ConnectionAttempts()
        attempts.end(hasProcessed: false, at: now)
        #expect(attempts.notBefore == now)
        var pauses: [Duration] = []
        while !attempts.isExhausted {
            attempts.end(hasProcessed: false, at: now)
            pauses.append(attempts.notBefore - now)
        }
        #expect(pauses == [100, 200, 400, 800, 1_600].map { .milliseconds($0) })
    }

    @Test func `a connection on which anything was done makes up for those before`() {
        var attempts = ConnectionAttempts()
        for _ in 0..<20 {
            for _ in 0..<ConnectionAttempts.limit - 1 {
                attempts.end(hasProcessed: false, at: MonotonicTime(nanoseconds: 0))
            }
            #expect(!attempts.isExhausted)
            attempts.end(hasProcessed: true, at: MonotonicTime(nanoseconds: 0))
            #expect(attempts.fruitless == 0)
        }
    }
}

@Suite struct MonotonicTimeTests {
    @Test(arguments: [
        (Duration.seconds(1), Int64(1_000_000_005)), (.milliseconds(-5), 5), (.seconds(Int64.max), .max),
        (.seconds(Int64.min), 5),
    ])
    func `a duration is added without overflow`(duration: Duration, expected: Int64) {
        #expect((MonotonicTime(nanoseconds: 5) + duration).nanoseconds == expected)
    }

    @Test(arguments: [(Int64(0), Int32(0)), (1, 1), (999_999, 1), (1_000_001, 2), (.max, .max)])
    func `a wait is never too short`(nanoseconds: Int64, expected: Int32) {
        let start = MonotonicTime(nanoseconds: 0)
        #expect(start.milliseconds(until: MonotonicTime(nanoseconds: nanoseconds)) == expected)
    }
}
