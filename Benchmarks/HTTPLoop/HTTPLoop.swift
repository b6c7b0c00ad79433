import Glibc
import HTTPClient

/// Sends notifications as APNs wants them through an `HTTPClient` and nothing else: the bound for the whole program.
///
///     http-loop --port N --ca FILE [--client nghttp2|curl] [--count N] [--connections N] [--streams N] [--page N] [--pages N]
@main
struct HTTPLoop {
    static func main() async throws {
        let options = try Options(CommandLine.arguments.dropFirst())
        let configuration = HTTPClientConfiguration(
            connectionsPerOrigin: options.connections, streamsPerConnection: options.streams,
            caFile: options.caFile, requiresHTTP2: true)
        let client: any HTTPClient =
            options.usesCurl
            ? try CurlClient(configuration: configuration) : try NGHTTP2Client(configuration: configuration)
        let origin = HTTPOrigin(scheme: "https", host: "localhost", port: options.port)
        // Connections are made and warmed before the clock starts, as h2load does not count its handshakes either.
        _ = await send(1..<65, of: options, with: client, to: origin)

        let start = ContinuousClock.now
        let cpuStart = processorMicroseconds()
        let failures = await withTaskGroup(of: Int.self) { group in
            let page = options.page
            var pages = stride(from: 0, to: options.count, by: page).makeIterator()
            var failures = 0
            // The next page is on its way before the last one is back, so that the connections never run dry.
            for _ in 0..<options.pages {
                guard let first = pages.next() else { break }
                group.addTask {
                    await send(first..<min(first + page, options.count), of: options, with: client, to: origin)
                }
            }
            while let count = await group.next() {
                failures += count
                if let first = pages.next() {
                    group.addTask {
                        await send(first..<min(first + page, options.count), of: options, with: client, to: origin)
                    }
                }
            }
            return failures
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let cpu = processorMicroseconds() - cpuStart
        await client.shutdown()
        print("requests_per_second \(Int(Double(options.count) / seconds))")
        print("cpu_microseconds_per_request \((Double(cpu) / Double(options.count) * 10).rounded() / 10)")
        print("peak_rss_kilobytes \(peakKilobytes())")
        print("failures \(failures)")
    }

    private static func send(
        _ range: Range<Int>, of options: Options, with client: any HTTPClient, to origin: HTTPOrigin
    ) async -> Int {
        let requests = range.map(request)
        return await client.send(requests, to: origin).count { outcome in
            switch outcome {
            case .success(let response): response.status != 200
            case .failure: true
            }
        }
    }

    private static let sharedHeaders = [
        HTTPHeader("authorization", "bearer " + String(repeating: "x", count: 200)),
        HTTPHeader("apns-topic", "com.example.app"),
        HTTPHeader("apns-push-type", "alert"),
        HTTPHeader("apns-priority", "10"),
        HTTPHeader("content-type", "application/json"),
    ]

    private static let body = Array(
        (#"{"aps":{"alert":{"title":"Three stories for you","body":""# + String(repeating: "a", count: 132)
            + #""},"badge":1,"sound":"default"}}"#).utf8)

    private static func request(_ number: Int) -> HTTPRequest {
        let digits = String(number, radix: 16)
        let token = String(repeating: "a", count: 64 - digits.count) + digits
        let tail = String(repeating: "0", count: 12 - digits.count) + digits
        return HTTPRequest(
            method: "POST", path: "/3/device/" + token, sharedHeaders: sharedHeaders,
            headers: [HTTPHeader("apns-id", "123e4567-e89b-12d3-a456-" + tail)], body: body)
    }

    private static func usage() -> rusage {
        var usage = rusage()
        unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage
    }

    private static func processorMicroseconds() -> Int {
        let usage = usage()
        return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1_000_000 + usage.ru_utime.tv_usec
            + usage.ru_stime.tv_usec
    }

    private static func peakKilobytes() -> Int { usage().ru_maxrss }
}

private struct Options {
    var port = 0
    var caFile = ""
    var usesCurl = false
    var count = 100_000
    var connections = 2
    var streams = 100
    var page = 1_000
    var pages = 2

    struct Problem: Error, CustomStringConvertible {
        var description: String
    }

    init(_ arguments: some Collection<String>) throws(Problem) {
        var iterator = arguments.makeIterator()
        while let name = iterator.next() {
            guard let text = iterator.next() else { throw Problem(description: "\(name) needs a value") }
            if name == "--ca" {
                caFile = text
                continue
            }
            if name == "--client" {
                guard text == "nghttp2" || text == "curl" else {
                    throw Problem(description: "--client is nghttp2 or curl")
                }
                usesCurl = text == "curl"
                continue
            }
            guard let value = Int(text), value > 0 else { throw Problem(description: "\(name) needs a number") }
            switch name {
            case "--port": port = value
            case "--count": count = value
            case "--connections": connections = value
            case "--streams": streams = value
            case "--page": page = value
            case "--pages": pages = value
            default: throw Problem(description: "unknown option \(name)")
            }
        }
        guard port > 0, !caFile.isEmpty else { throw Problem(description: "--port and --ca are needed") }
    }
}
