import Foundation
import HTTPClient
import TestSupport
import Testing

private struct Echo: Decodable {
    var method: String
    var path: String
    var headers: [[String]]
    var body: String
}

private func echo(_ outcome: Result<HTTPResponse, HTTPFailure>) throws -> Echo {
    try JSONDecoder().decode(Echo.self, from: Data(try outcome.get().body))
}

@Suite struct ExchangeTests {
    @Test(arguments: Implementation.allCases)
    func `thousands of requests are answered in their order, each sent once`(_ kind: Implementation) async throws {
        let log = try ServerLog()
        let server = try LoopbackServers.push(["--log", log.path])
        let client = try kind.client()
        let requests = pushes(5_000)
        let outcomes = await client.send(requests, to: server.origin)
        let tally = try Tally(outcomes, of: requests, log: log)
        #expect(tally.answered == 5_000)
        #expect(try log.lines().count == 5_000)
        #expect(outcomes.allSatisfy { (try? $0.get().body) == [] })
        await client.shutdown()
    }

    @Test(arguments: Implementation.allCases)
    func `many batches at once keep apart`(_ kind: Implementation) async throws {
        let server = try LoopbackServers.push()
        let client = try kind.client()
        let origin = server.origin
        let answers = await withTaskGroup(of: Bool.self) { group in
            for size in [1, 2, 15, 16, 17, 64, 300, 0, 1, 1] {
                group.addTask {
                    let outcomes = await client.send(pushes(size), to: origin)
                    let ids = outcomes.compactMap { try? $0.get().header("apns-id") }
                    return ids == (0..<size).map { "id-\($0)" }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers == Array(repeating: true, count: 10))
        await client.shutdown()
    }

    @Test(arguments: Implementation.allCases)
    func `the server gets the shared fields, the own fields and the body, and nothing else`(
        _ kind: Implementation
    ) async throws {
        let server = try LoopbackServers.python("echo_server.py")
        let client = try kind.client()
        let first = [HTTPHeader("authorization", "bearer one"), HTTPHeader("x-empty", "")]
        let second = [HTTPHeader("authorization", "bearer two")]
        let requests = (0..<40).map { number in
            HTTPRequest(
                method: "POST", path: "/echo/\(number)?a=b", sharedHeaders: number.isMultiple(of: 2) ? first : second,
                headers: [HTTPHeader("x-number", "\(number)"), HTTPHeader("x-text", "a: b; c")],
                body: Array("body \(number)".utf8))
        }
        let outcomes = await client.send(requests, to: server.origin)
        for (number, outcome) in outcomes.enumerated() {
            let echo = try echo(outcome)
            #expect(echo.method == "POST")
            #expect(echo.path == "/echo/\(number)?a=b")
            #expect(echo.body == "body \(number)")
            let length = "body \(number)".utf8.count
            let own = [["x-number", "\(number)"], ["x-text", "a: b; c"], ["content-length", "\(length)"]]
            let shared =
                number.isMultiple(of: 2)
                ? [["authorization", "bearer one"], ["x-empty", ""]] : [["authorization", "bearer two"]]
            #expect(Set(echo.headers) == Set(own + shared))
            #expect(echo.headers.count == own.count + shared.count)
            let response = try outcome.get()
            #expect(response.header("x-padded") == "a: b")
            #expect(response.header("x-empty") == "")
        }
        await client.shutdown()
    }

    @Test(arguments: Implementation.allCases, [0, 1, 1_023, 16_384, 16_385, 200_000])
    func `a body of any length arrives whole`(_ kind: Implementation, length: Int) async throws {
        let server = try LoopbackServers.python("echo_server.py")
        let client = try kind.client()
        let body = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 % 127) }
        let requests = Array(repeating: HTTPRequest(method: "POST", path: "/echo", body: body), count: 3)
        for outcome in await client.send(requests, to: server.origin) {
            #expect(try Array(echo(outcome).body.utf8) == body)
        }
        await client.shutdown()
    }

    @Test(arguments: Implementation.allCases)
    func `methods and statuses pass as they are`(_ kind: Implementation) async throws {
        let server = try LoopbackServers.python("echo_server.py")
        let client = try kind.client(connections: 1)
        let methods = ["GET", "POST", "PUT", "DELETE", "GET", "PATCH", "POST"]
        let withBody: Set = ["POST", "PUT", "PATCH"]
        let requests = methods.map {
            HTTPRequest(method: $0, path: "/echo", body: withBody.contains($0) ? [1, 2, 3] : [])
        }
        for (method, outcome) in zip(methods, await client.send(requests, to: server.origin)) {
            let echo = try echo(outcome)
            #expect(echo.method == method)
            #expect(echo.body.utf8.count == (withBody.contains(method) ? 3 : 0))
        }
        let head = await client.send([HTTPRequest(method: "HEAD", path: "/echo")], to: server.origin)
        #expect(try head[0].get().header("x-method") == "HEAD")
        let codes = [204, 302, 404, 410, 429, 503]
        let answers = await client.send(
            codes.map { HTTPRequest(method: "POST", path: "/status/\($0)", body: [1]) }, to: server.origin)
        #expect(try answers.map { try $0.get().status } == codes)
        await client.shutdown()
    }

    @Test(arguments: Implementation.allCases)
    func `a server may allow a single stream`(_ kind: Implementation) async throws {
        for limit in [["--streams", "1"], ["--first-streams", "1"]] {
            let log = try ServerLog()
            let server = try LoopbackServers.push(limit + ["--log", log.path])
            let client = try kind.client()
            let requests = pushes(300)
            let tally = try Tally(await client.send(requests, to: server.origin), of: requests, log: log)
            #expect(tally.answered == 300, "\(tally)")
            await client.shutdown()
        }
    }

    @Test(arguments: [Implementation.curl])
    func `a server that speaks only HTTP/1 is used where HTTP/2 is not required`(_ kind: Implementation) async throws {
        let secure = try LoopbackServers.python("http1_server.py")
        let plain = try LoopbackServers.python("http1_server.py", ["--plain"])
        let client = try kind.client(requiresHTTP2: false)
        let origins = [secure.origin, HTTPOrigin(scheme: "http", host: "127.0.0.1", port: plain.port)]
        for origin in origins {
            let outcomes = await client.send(pushes(40), to: origin)
            #expect(try outcomes.map { try $0.get().header("x-path") } == (0..<40).map { "/3/device/\($0)" })
        }
        await client.shutdown()
    }

    @Test(arguments: Implementation.allCases)
    func `a server that speaks only HTTP/1 gets no request where HTTP/2 is required`(
        _ kind: Implementation
    ) async throws {
        let log = try ServerLog()
        let server = try LoopbackServers.python("http1_server.py", ["--log", log.path])
        let client = try kind.client(requiresHTTP2: true)
        for outcome in await client.send(pushes(40), to: server.origin) {
            let failure = #expect(throws: HTTPFailure.self) { try outcome.get() }
            #expect(failure?.kind == .protocolError)
            #expect(failure?.mayHaveBeenProcessed == false)
        }
        #expect(try log.lines() == [])
        await client.shutdown()
    }
}
