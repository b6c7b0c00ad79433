import Liquid
import Testing

struct DateTests {
    /// 2016-03-04T05:06:07.089012345Z, a Friday.
    static let moment = "2016-03-04T05:06:07.089012345Z"

    @Test(arguments: [
        ("%Y %C %y %G %g", "2016 20 16 2016 16"), ("%m %-m %_m %B %b %h %^b %^B", "03 3  3 March Mar Mar MAR MARCH"),
        ("%d %e %-d %j %-j", "04  4 4 064 64"), ("%A %a %^a %u %w", "Friday Fri FRI 5 5"),
        ("%H %k %-H %I %l %-I %M %S", "05  5 5 05  5 5 06 07"), ("%p %P %#p", "AM am am"),
        ("%L %N %3N %6N %12N", "089 089012345 089 089012 089012345000"),
        ("%z %:z %::z %Z", "+0000 +00:00 +00:00:00 UTC"),
        ("%U %W %V", "09 09 09"), ("%s", "1457067967"), ("%n%t%%", "\n\t%"), ("%c", "Fri Mar  4 05:06:07 2016"),
        ("%D %x %F %v", "03/04/16 03/04/16 2016-03-04  4-MAR-2016"),
        ("%T %X %R %r", "05:06:07 05:06:07 05:06 05:06:07 AM"),
        ("%+", "Fri Mar  4 05:06:07 UTC 2016"),
        ("%05d|%_5d|%10A|%-10A|%010Y", "00004|    4|    Friday|Friday|0000002016"),
        ("%Q %! %", "%Q %! %"), ("%:d", "%:d"), ("", "2016-03-04T05:06:07.089012345Z"), ("plain", "plain"),
        ("%Ey %Od", "16 04"), ("%99999d", String(repeating: "0", count: 1023) + "4"),
    ])
    func `a format is filled in as strftime does`(format: String, expected: String) throws {
        let data: LiquidValue = ["d": .string(Self.moment), "f": .string(format)]
        #expect(try render("{{ d | date: f }}", data) == expected)
    }

    @Test(arguments: [
        ("March 14, 2016", "2016-03-14 00:00:00 +0000"), ("14 March 2016", "2016-03-14 00:00:00 +0000"),
        ("Mon, 14 Mar 2016 10:11:12 GMT", "2016-03-14 10:11:12 +0000"),
        ("Monday, March 14th, 2016 10:11 pm", "2016-03-14 22:11:00 +0000"),
        ("2016-03-14", "2016-03-14 00:00:00 +0000"), ("2016/3/14", "2016-03-14 00:00:00 +0000"),
        ("14.3.2016", "2016-03-14 00:00:00 +0000"), ("20160314T101112", "2016-03-14 10:11:12 +0000"),
        ("2016-03-14T10:11:12+09:30", "2016-03-14 10:11:12 +0930"),
        ("2016-03-14 10:11:12 -0800", "2016-03-14 10:11:12 -0800"),
        ("2016-03-14T10:11:12Z", "2016-03-14 10:11:12 +0000"),
        ("2016-074", "2016-03-14 00:00:00 +0000"), ("March 2016", "2016-03-01 00:00:00 +0000"),
        ("12:30 am", "2024-01-01 00:30:00 +0000"), ("10:30", "2024-01-01 10:30:00 +0000"),
        ("Mar 14", "2024-03-14 00:00:00 +0000"), ("now", "2024-01-01 00:01:58 +0000"),
        ("today", "2024-01-01 00:01:58 +0000"), ("1152098955", "2006-07-05 11:29:15 +0000"),
        ("0", "1970-01-01 00:00:00 +0000"),
    ])
    func `dates are read as people and machines write them`(text: String, expected: String) throws {
        #expect(try render("{{ d | date: '%F %T %z' }}", ["d": .string(text)]) == expected)
    }

    @Test(arguments: [
        "", "foo", "hello world", "-1152098955", "2016-13-01", "2016-02-32", "2016-00-10", "25:00", "Friday",
        "tomorrow",
        "2016-03-14 25:00", "99999999999999999999", String(repeating: "1 ", count: 500),
    ])
    func `what is no date goes on unchanged`(text: String) throws {
        #expect(try render("{{ d | date: '%F' }}", ["d": .string(text)]) == text)
    }

    @Test func `values that are no dates go on unchanged`() throws {
        #expect(try render("{{ 1.5 | date: '%F' }}|{{ nil | date: '%F' }}|{{ true | date: '%F' }}") == "1.5||true")
        #expect(try render("{{ d | date: nil }}", ["d": "2016-03-14"]) == "2016-03-14")
    }

    @Test func `seconds before 1970 are shown on the right day`() throws {
        #expect(
            try render("{{ -1 | date: '%F %T' }} {{ -62135596800 | date: '%F %A' }}")
                == "1969-12-31 23:59:59 0001-01-01 Monday")
    }

    @Test func `the zone of the context holds for instants and for times without a zone`() throws {
        let tokyo = LiquidTimeZone { _ in .init(seconds: 9 * 3600, abbreviation: "JST") }
        #expect(try render("{{ 0 | date: '%F %T %Z' }}", zone: tokyo) == "1970-01-01 09:00:00 JST")
        #expect(try render("{{ '2016-03-14 10:00' | date: '%H %z %s' }}", zone: tokyo) == "10 +0900 1457917200")
        #expect(try render("{{ '2016-03-14T10:00Z' | date: '%H %z' }}", zone: tokyo) == "10 +0000")
        #expect(try render("{{ 'now' | date: '%H' }}", zone: tokyo) == "09")
    }

    @Test func `a time without a zone gets the offset in force at that time`() throws {
        // One hour more from 1,000,000 seconds after 1970 on.
        let zone = LiquidTimeZone {
            $0 < 1_000_000 ? .init(seconds: 0, abbreviation: "A") : .init(seconds: 3600, abbreviation: "B")
        }
        #expect(try render("{{ '1970-01-12 13:46:39' | date: '%s %Z' }}", zone: zone) == "999999 A")
        #expect(try render("{{ '1970-01-12 15:46:40' | date: '%s %Z' }}", zone: zone) == "1003600 B")
    }

    @Test func `weeks agree with the calendar over 400 years`() throws {
        // ISO weeks: 4 January is always in week 1, and a week has seven days.
        let template = try Template(parsing: "{{ d | date: '%G-%V-%u %F' }}")
        for year in stride(from: 1900, through: 2300, by: 1) {
            let text = try template.render(context(["d": .string("\(year)-01-04")]))
            #expect(text.hasPrefix("\(year)-01-"))
        }
    }
}
