import Foundation
import Glibc
import HTTPClient
import TestSupport
import Testing

/// Servers that cannot be reached, requests that cannot be sent, and clients that stop.
@Suite struct ReachabilityTests {
    private func expectAll(
        _ outcomes: [Result<HTTPResponse, HTTPFailure>], _ kind: HTTPFailure.Kind, count: Int,
        location: SourceLocation = #_sourceLocation
    ) {
        let failures = outcomes.compactMap { outcome -> HTTPFailure? in
            if case .failure(let failure) = outcome { failure } else { nil }
        }
        #expect(failures.map(\.kind) == Array(repeating: kind, count: count), sourceLocation: location)
        #expect(failures.allSatisfy { !$0.mayHaveBeenProcessed }, sourceLocation: location)
    }

    @Test(arguments: Implementation.allCases)
    func `a closed port fails the whole batch at once`(_ kind: Implementation) async throws {
        let server = try LoopbackServers.push()
        let origin = server.origin
        server.stop()
        let client = try kind.client()
        expectAll(await client.send(pushes(2_000), to: origin), .connect, count: 2_000)
        await client.shutdown()
    }

    @Test(arguments: Implementation.allCases)
    func `a name without an address fails the whole batch at once`(_ kind: Implementation) async throws {
        // A label of more than 63 bytes is refused by the resolver itself, so that no query leaves this machine.
        let origin = HTTPOrigin(scheme: "https", host: String(repeating: "a", count: 64) + ".invalid", port: 443)
        let client = try kind.client()
        expectAll(await client.send(pushes(500), to: origin), .resolve, count: 500)
        await client.shutdown()
    }

    @Test(arguments: Implementation.allCases)
    func `an unknown authority is refused`(_ kind: Implementation) async throws {
        let log = try ServerLog()
        let server = try LoopbackServers.push(["--log", log.path])
        let client = try kind.client(ca: "other-ca.pem")
        expectAll(await client.send(pushes(500), to: server.origin), .tls, count: 500)
        #expect(try log.lines() == [])
        await client.shutdown()
    }

    @Test(arguments: Implementation.allCases)
    func `a certificate for another host is refused`(_ kind: Implementation) async throws {
        let log = try ServerLog()
        let server = try LoopbackServers.push(["--log", log.path], certificate: "wrong-name")
        let client = try kind.client()
        expectAll(await client.send(pushes(500), to: server.origin), .tls, count: 500)
        #expect(try log.lines() == [])
        await client.shutdown()
    }

    @Test(arguments: Implementation.allCases)
    func `a request that would break its head is refused and the others are sent`(_ kind: Implementation) async throws {
        let server = try LoopbackServers.push()
        let client = try kind.client()
        let bad = [
            HTTPRequest(method: "POST", path: "3/device/0"),
            HTTPRequest(method: "POST", path: "/a b"),
            HTTPRequest(method: "POST", path: "/", headers: [HTTPHeader("apns-id", "1\r\nevil: yes")]),
            HTTPRequest(method: "POST", path: "/", headers: [HTTPHeader("apns id", "1")]),
            HTTPRequest(method: "POST", path: "/", headers: [HTTPHeader("", "1")]),
            HTTPRequest(method: "POST", path: "/", sharedHeaders: [HTTPHeader("x", "\u{0}")]),
        ]
        let outcomes = await client.send(bad + pushes(3), to: server.origin)
        expectAll(Array(outcomes.prefix(bad.count)), .invalidRequest, count: bad.count)
        #expect(outcomes.suffix(3).allSatisfy { (try? $0.get().status) == 200 })
        for origin in [
            HTTPOrigin(scheme: "ftp", host: "localhost", port: 21),
            HTTPOrigin(scheme: "https", host: "", port: 443),
            HTTPOrigin(scheme: "https", host: "user@localhost", port: 443),
            HTTPOrigin(scheme: "https", host: "localhost", port: 70_000),
        ] {
            expectAll(await client.send(pushes(2), to: origin), .invalidRequest, count: 2)
        }
        await client.shutdown()
    }

    @Test(arguments: Implementation.allCases)
    func `cancelling a task ends its batch and leaves the client usable`(_ kind: Implementation) async throws {
        let log = try ServerLog()
        let server = try LoopbackServers.push(["--silent-every", "1", "--log", log.path])
        let other = try LoopbackServers.push()
        let client = try kind.client(timeout: .seconds(60))
        let origin = server.origin
        let requests = pushes(1_000)
        let task = Task { await client.send(requests, to: origin) }
        // The server has the first requests, so some are in flight and most are not.
        while try log.lines().count < 2 { await Task.yield() }
        task.cancel()
        let tally = try Tally(await task.value, of: requests, log: log)
        #expect(tally.failures == [.cancelled: 1_000])
        let answers = await client.send(pushes(10), to: other.origin)
        #expect(answers.allSatisfy { (try? $0.get().status) == 200 })

        let late = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return await client.send(pushes(10), to: origin)
        }
        expectAll(await late.value, .cancelled, count: 10)
        await client.shutdown()
    }

    @Test(arguments: Implementation.allCases)
    func `shutdown gives up what is in flight and what comes later`(_ kind: Implementation) async throws {
        let log = try ServerLog()
        let server = try LoopbackServers.push(["--silent-every", "1", "--log", log.path])
        let client = try kind.client(timeout: .seconds(60))
        let origin = server.origin
        let requests = pushes(1_000)
        async let outcomes = client.send(requests, to: origin)
        while try log.lines().count < 2 { await Task.yield() }
        await client.shutdown()
        let tally = try Tally(await outcomes, of: requests, log: log)
        #expect(tally.failures == [.cancelled: 1_000])
        expectAll(await client.send(pushes(5), to: origin), .cancelled, count: 5)
        await client.shutdown()
    }

    @Test func `a missing file of authorities is named`() throws {
        let path = "/nonexistent/ca.pem"
        let error = #expect(throws: HTTPClientError.self) {
            try CurlClient(configuration: HTTPClientConfiguration(caFile: path))
        }
        #expect(throws: HTTPClientError.caFileUnreadable(path: path, errorNumber: ENOENT)) {
            try NGHTTP2Client(configuration: HTTPClientConfiguration(caFile: path))
        }
        #expect(error == .caFileUnreadable(path: path, errorNumber: ENOENT))
        #expect(error?.description.contains(path) == true)
    }
}
