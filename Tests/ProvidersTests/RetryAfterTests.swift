import FoundationEssentials
import Testing

@testable import Providers

@Suite struct RetryAfterTests {
    @Test(
        arguments: [
            ("0", .zero), ("120", .seconds(120)), (" 5 ", .seconds(5)),
            // 1994-11-06 08:49:37 is 784111777.
            ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(37)), ("Sun, 06 Nov 1994 08:48:00 GMT", .zero),
            ("Thu, 29 Feb 1996 00:00:00 GMT", .seconds(41_440_260)),
            (nil, nil), ("", nil), ("-1", nil), ("soon", nil), ("1.5", nil), ("99999999999999999999", nil),
            ("Sun, 06 Foo 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 25:49:37 GMT", nil), ("a b c d e f", nil),
        ] as [(String?, Duration?)])
    func `seconds and dates are read, all else is ignored`(_ value: String?, _ duration: Duration?) {
        #expect(RetryAfter.duration(value, now: Date(timeIntervalSince1970: 784_111_740)) == duration)
    }
}
