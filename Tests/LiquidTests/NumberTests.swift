import Liquid
import TestSupport
import Testing

struct NumberTests {
    @Test(arguments: [
        ("{{ 0.1 | plus: 0.2 }}", "0.3"),
        ("{{ 1.1 | times: 1.1 }}", "1.21"),
        ("{{ 0.3 | divided_by: 0.1 }}", "3.0"),
        ("{{ 10 | divided_by: 4 }}", "2"),
        ("{{ 10 | divided_by: '4' }}", "2"),
        ("{{ 10 | divided_by: '4.0' }}", "2.5"),
        ("{{ 7 | divided_by: -2 }}", "-4"),
        ("{{ -7 | divided_by: 2 }}", "-4"),
        ("{{ -7 | modulo: 3 }}", "2"),
        ("{{ 7 | modulo: -3 }}", "-2"),
        ("{{ -7.5 | modulo: 2 }}", "0.5"),
        ("{{ '0.1' | plus: '0.2' }}", "0.3"),
        ("{{ ' 12 ' | plus: 1 }}", "13"),
        ("{{ '12abc' | plus: 1 }}", "13"),
        ("{{ '1e3' | plus: 1 }}", "2"),
        ("{{ '1_000' | plus: 1 }}", "1001"),
        ("{{ 'abc' | plus: 1 }}", "1"),
        ("{{ nil | plus: 1 }}", "1"),
        ("{{ true | plus: 1 }}", "1"),
        ("{{ 2.5 | round }} {{ -2.5 | round }} {{ 1.005 | round: 2 }} {{ 1250 | round: -2 }}", "3 -3 1.01 1300"),
        ("{{ -0.5 | ceil }} {{ -0.5 | floor }} {{ 1.0 | ceil }}", "0 -1 1"),
        ("{{ 1e3 }}", ""),
        ("{{ 1.0 }} {{ 100.0 }} {{ 0.0001 }} {{ 0.00001 }}", "1.0 100.0 0.0001 1.0e-05"),
        ("{{ 1000000000000000.0 }} {{ 10000000000000000.0 }}", "1000000000000000.0 1.0e+16"),
        ("{{ 123456789012345.678 }}", "123456789012345.67"),
        ("{{ '1.5' | at_least: 1 }} {{ 1 | at_most: 0.5 }}", "1.5 0.5"),
        ("{{ -3.5 | abs }} {{ '-3' | abs }}", "3.5 3"),
    ])
    func `numbers are decimal and divide towards minus infinity`(template: String, expected: String) throws {
        #expect(try render(template) == expected)
    }

    @Test(arguments: [
        ("{{ 9223372036854775807 | plus: 1 }}", "9.223372036854776e+18"),
        ("{{ -9223372036854775808 | minus: 1 }}", "-9.223372036854776e+18"),
        ("{{ 9223372036854775807 | times: 9223372036854775807 }}", "8.507059173023462e+37"),
        ("{{ -9223372036854775808 | divided_by: -1 }}", "9.223372036854776e+18"),
        ("{{ -9223372036854775808 | modulo: -1 }}", "0"),
        ("{{ -9223372036854775808 | abs }}", "9.223372036854776e+18"),
        ("{{ 99999999999999999999999999999999999999999999 }}", "1.0e+44"),
        ("{{ '99999999999999999999999999999999999999999999' | plus: 1 }}", "1.0e+44"),
        ("{{ 1 | round: 9223372036854775807 }}", "1"),
        ("{{ 1.5 | round: -9223372036854775808 }}", "0.0"),
        ("{{ x | slice: -9223372036854775808, 9223372036854775807 }}", ""),
        ("{{ x | slice: 1, 9223372036854775807 }}", "bc"),
        ("{{ x | truncate: -9223372036854775808 }}", "..."),
        ("{{ x | truncatewords: 9223372036854775807 }}", "abc"),
        ("{{ (9223372036854775806..9223372036854775807) | join: ' ' }}", "9223372036854775806 9223372036854775807"),
        ("{{ (-9223372036854775808..9223372036854775807) | size }}", "9223372036854775807"),
        ("{% for i in (1..2) offset: 9223372036854775807 limit: 9223372036854775807 %}x{% else %}-{% endfor %}", "-"),
        ("{% for i in (1..2) offset: -9223372036854775808 limit: -9223372036854775808 %}x{% else %}-{% endfor %}", "-"),
        ("{{ 9223372036854775807 | date: '%Y' }}", "9223372036854775807"),
    ])
    func `overflow gives a decimal and never traps`(template: String, expected: String) throws {
        #expect(try render(template, ["x": "abc"]) == expected)
    }

    @Test(arguments: [
        "{{ 1 | divided_by: 0 }}", "{{ 1.0 | divided_by: 0 }}", "{{ 1 | modulo: 0 }}", "{{ 1 | modulo: 'a' }}",
    ])
    func `division by zero is an error at the filter`(template: String) {
        let error = failure(template)
        #expect(error?.message == "divided by 0")
        #expect(error?.column == (template.contains("1.0") ? 10 : 8))
    }

    @Test func `sums and products of many decimals agree with whole-number arithmetic in hundredths`() throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            let a = Int.random(in: -99_999...99_999, using: &generator)
            let b = Int.random(in: -99_999...99_999, using: &generator)
            let data: LiquidValue = ["a": .double(Double(a) / 100), "b": .double(Double(b) / 100)]
            #expect(try render("{{ a | plus: b | times: 100 | round }}", data) == "\(a + b)")
            #expect(try render("{{ a | minus: b | times: 100 | round }}", data) == "\(a - b)")
            #expect(try render("{{ a | times: b | times: 10000 | round }}", data) == "\(a * b)")
        }
    }
}
