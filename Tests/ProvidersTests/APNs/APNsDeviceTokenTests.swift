import Testing

@testable import Providers

@Suite struct APNsDeviceTokenTests {
    @Test(arguments: [
        ("00fc13adff", "00fc13adff"), ("00FC13ADFF", "00fc13adff"), ("<00fc13ad ff>", "00fc13adff"),
        (" 00fc13adff\n", "00fc13adff"),
        // What is not hexadecimal is left as it is, for Apple to judge.
        ("Token-1_~", "Token-1_~"), (String(repeating: "a", count: 512), String(repeating: "a", count: 512)),
    ])
    func `a token is brought into the form that APNs takes`(_ raw: String, _ token: String) {
        #expect(APNsDeviceToken(raw)?.text == token)
    }

    @Test(arguments: [
        "", "<>", "  ", "a/b", "../x", "a?b", "a#b", "a%2f", "é", "a:b", String(repeating: "a", count: 513),
    ])
    func `a token that is not safe in a path is refused`(_ raw: String) {
        #expect(APNsDeviceToken(raw) == nil)
    }
}
