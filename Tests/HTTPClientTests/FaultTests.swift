import Foundation
import HTTPClient
import TestSupport
import Testing

/// What goes wrong on a connection that stood. The server's log tells what it really did.
@Suite struct FaultTests {
    @Test(arguments: Implementation.allCases, [1, 2, 7, 64, 500])
    func `GOAWAY costs nobody anything`(_ kind: Implementation, every: Int) async throws {
        let log = try ServerLog()
        let server = try LoopbackServers.push(["--goaway-every", "\(every)", "--log", log.path])
        let client = try kind.client()
        // A connection for every request or two is slow, and more of the same proves no more.
        let requests = pushes(every < 10 ? 60 * every : 1_000)
        let tally = try Tally(await client.send(requests, to: server.origin), of: requests, log: log)
        kind.expectAnswers(tally, count: requests.count)
        await client.shutdown()
    }

    @Test(arguments: Implementation.allCases, [1, 10, 40])
    func `requests that a GOAWAY leaves out are sent again, the others are waited for`(
        _ kind: Implementation, behind: Int
    ) async throws {
        let log = try ServerLog()
        let server = try LoopbackServers.push([
            "--goaway-every", "50", "--goaway-behind", "\(behind)", "--delay", "20", "--log", log.path,
        ])
        let client = try kind.client()
        let requests = pushes(400)
        let tally = try Tally(await client.send(requests, to: server.origin), of: requests, log: log)
        kind.expectAnswers(tally, count: requests.count)
        await client.shutdown()
    }

    @Test(arguments: Implementation.allCases)
    func `a refused stream is sent again`(_ kind: Implementation) async throws {
        let log = try ServerLog()
        let server = try LoopbackServers.push(["--refuse-every", "40", "--log", log.path])
        let client = try kind.client()
        let requests = pushes(1_000)
        let tally = try Tally(await client.send(requests, to: server.origin), of: requests, log: log)
        #expect(tally.answered == requests.count, "\(tally)")
        await client.shutdown()
    }

    @Test(arguments: Implementation.allCases)
    func `a server that refuses everything is told as such, and nothing counts as sent`(
        _ kind: Implementation
    ) async throws {
        let log = try ServerLog()
        let server = try LoopbackServers.push(["--refuse-every", "1", "--log", log.path])
        let client = try kind.client()
        let requests = pushes(20)
        let tally = try Tally(await client.send(requests, to: server.origin), of: requests, log: log)
        #expect(tally.failures == [.refused: 20], "\(tally)")
        await client.shutdown()
    }

    @Test(arguments: Implementation.allCases)
    func `a reset stream fails alone, and may have been processed`(_ kind: Implementation) async throws {
        let log = try ServerLog()
        let server = try LoopbackServers.push(["--reset-every", "10", "--log", log.path])
        let client = try kind.client(connections: 1)
        let requests = pushes(500)
        let outcomes = await client.send(requests, to: server.origin)
        let tally = try Tally(outcomes, of: requests, log: log)
        #expect(tally.failures == [.protocolError: 50], "\(tally)")
        #expect(tally.answered == 450, "\(tally)")
        #expect(try log.lines().count == 500)
        await client.shutdown()
    }

    @Test(arguments: Implementation.allCases, ["--cut-every", "--abort-every"])
    func `a connection cut in mid-batch never sends a request twice`(
        _ kind: Implementation, option: String
    ) async throws {
        let log = try ServerLog()
        let server = try LoopbackServers.push([option, "200", "--delay", "2", "--log", log.path])
        let client = try kind.client()
        let requests = pushes(1_500)
        let tally = try Tally(await client.send(requests, to: server.origin), of: requests, log: log)
        #expect(tally.answered > 0)
        #expect(Set(tally.failures.keys) == [.connectionLost])
        await client.shutdown()
    }

    @Test(arguments: Implementation.allCases)
    func `after cut connections the client works on`(_ kind: Implementation) async throws {
        let log = try ServerLog()
        let server = try LoopbackServers.push([
            "--cut-every", "10", "--delay", "1", "--faulty-connections", "2", "--log", log.path,
        ])
        let client = try kind.client(connections: 1)
        let first = await client.send(pushes(100), to: server.origin)
        #expect(first.contains { (try? $0.get()) == nil })
        _ = await client.send(pushes(100), to: server.origin)
        let outcomes = await client.send(pushes(400), to: server.origin)
        #expect(outcomes.allSatisfy { (try? $0.get().status) == 200 })
        await client.shutdown()
    }

    @Test(arguments: Implementation.allCases)
    func `a limit on resets at the server makes no request fail untruthfully`(_ kind: Implementation) async throws {
        let log = try ServerLog()
        let server = try LoopbackServers.push(["--limit-resets", "--log", log.path])
        let client = try kind.client()
        let requests = pushes(6_000)
        let tally = try Tally(await client.send(requests, to: server.origin), of: requests, log: log)
        #expect(tally.answered > 5_400)
        await client.shutdown()
    }

    @Test(arguments: Implementation.allCases)
    func `a silent stream ends at its deadline and delays nobody else`(_ kind: Implementation) async throws {
        let log = try ServerLog()
        let server = try LoopbackServers.push(["--silent-every", "25", "--log", log.path])
        let client = try kind.client(connections: 1, timeout: .seconds(1))
        let requests = pushes(200)
        let outcomes = await client.send(requests, to: server.origin)
        let tally = try Tally(outcomes, of: requests, log: log)
        #expect(tally.failures == [.timeout: 8], "\(tally)")
        #expect(tally.answered == 192, "\(tally)")
        await client.shutdown()
    }

    @Test(arguments: Implementation.allCases)
    func `a silent server ends every request at its deadline`(_ kind: Implementation) async throws {
        let log = try ServerLog()
        let server = try LoopbackServers.push(["--silent-every", "1", "--log", log.path])
        let client = try kind.client(timeout: .milliseconds(300))
        let requests = pushes(60)
        let tally = try Tally(await client.send(requests, to: server.origin), of: requests, log: log)
        #expect(tally.failures == [.timeout: 60], "\(tally)")
        await client.shutdown()
    }

    @Test(arguments: Implementation.allCases)
    func `a response longer than allowed fails alone`(_ kind: Implementation) async throws {
        let server = try LoopbackServers.python("echo_server.py")
        let client = try kind.client(maxResponseBytes: 1_000)
        let lengths = [1_000, 1_001, 0, 50_000, 999]
        let outcomes = await client.send(
            lengths.map { HTTPRequest(method: "POST", path: "/bytes/\($0)", body: [1]) }, to: server.origin)
        for (length, outcome) in zip(lengths, outcomes) {
            switch outcome {
            case .success(let response): #expect(response.body.count == length && length <= 1_000)
            case .failure(let failure): #expect(failure.kind == .responseTooLarge && length > 1_000)
            }
        }
        await client.shutdown()
    }
}
