import HTTPClient
import Testing

@testable import Providers

@Suite struct ProviderEndpointTests {
    @Test(arguments: [
        ("https://api.push.apple.com", "https", "api.push.apple.com", 443, "/"),
        ("https://HOST:2197/", "https", "host", 2197, "/"), ("https://h/a/b", "https", "h", 443, "/a/b"),
        ("http://127.0.0.1:8080", "http", "127.0.0.1", 8080, "/"), ("http://localhost", "http", "localhost", 80, "/"),
        ("https://[::1]:8443/x", "https", "::1", 8443, "/x"), ("http://[::1]", "http", "::1", 80, "/"),
    ])
    func `a URL is split`(_ text: String, _ scheme: String, _ host: String, _ port: Int, _ path: String) throws {
        let endpoint = try ProviderEndpoint(text)
        #expect(endpoint.origin == HTTPOrigin(scheme: scheme, host: host, port: port))
        #expect(endpoint.path == path)
    }

    @Test(arguments: [
        "", "api.push.apple.com", "ftp://h", "https://", "https://:443", "https://h:0", "https://h:65536",
        "https://h:x",
        "https://h:", "https://user@h", "https://h/?q", "https://h#f", "https://h\n", "https://é", "https://[::1",
        "https://[::1]x", "http://example.com", "http://127.evil.example.com", "http://10.0.0.1",
    ])
    func `what is no endpoint is refused with the text`(_ text: String) {
        let error = #expect(throws: ProviderEndpointError.self) { try ProviderEndpoint(text) }
        #expect(error?.description.contains("“\(text)”") == true)
    }

    @Test func `an endpoint that has no path of its own is an origin`() throws {
        #expect(try ProviderEndpoint.origin("https://h:1").port == 1)
        #expect(throws: ProviderEndpointError.self) { try ProviderEndpoint.origin("https://h/v1") }
    }
}
