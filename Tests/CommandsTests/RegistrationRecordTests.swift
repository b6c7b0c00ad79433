import Foundation
import JSON
import Push
import Testing

@testable import Commands

struct RegistrationRecordTests {
    private let decoder = RegistrationDecoder(now: Date(timeIntervalSince1970: 1_000))

    private func records(
        _ text: String, _ format: RegistrationFormat, decoder: RegistrationDecoder? = nil
    ) throws
        -> [RegistrationRecord]
    {
        var source = try RegistrationSource(TextInput(text), format: format, decoder: decoder ?? self.decoder)
        var records: [RegistrationRecord] = []
        while let record = try source.next() { records.append(record) }
        return records
    }

    private let full = Registration(
        token: "t1", platform: .web, tokenKind: .liveActivityStart, appID: "consumer", environment: .sandbox,
        deviceID: "d", userID: "u", tags: ["a", "b;c"], topics: ["news"], locale: "de-AT", timeZone: "Europe/Vienna",
        appVersion: "1.2", data: ["name": "Ada", "count": 3, "list": [1, 2.5, nil ?? true]],
        registeredAt: Date(timeIntervalSince1970: 1_796_632_200))

    @Test func `a line with every member gives every field`() throws {
        let line = """
            {"token":"t1","platform":"web","token_kind":"live_activity_start","app_id":"consumer","environment":"sandbox",\
            "device_id":"d","user":"u","tags":["a","b;c","a"],"topics":["news"],"locale":"de-AT",\
            "timezone":"Europe/Vienna","app_version":"1.2","data":{"name":"Ada","count":3,"list":[1,2.5,true]},\
            "registered_at":"2026-12-07T09:30:00+01:00"}
            """
        #expect(try records(line, .jsonl)[0].result.get() == full)
    }

    @Test func `token and platform are enough`() throws {
        let device = try records(#"{"token":"t","platform":"Android"}"#, .jsonl)[0].result.get()
        #expect(
            device == Registration(token: "t", platform: .android, registeredAt: Date(timeIntervalSince1970: 1_000)))
    }

    @Test func `null is the same as absent, and an empty app id is the default app`() throws {
        let line = #"{"token":"t","platform":"iOS","app_id":"","user":null,"tags":null,"locale":"","data":null}"#
        let device = try records(line, .jsonl)[0].result.get()
        #expect(device == Registration(token: "t", platform: .iOS, registeredAt: Date(timeIntervalSince1970: 1_000)))
    }

    @Test(arguments: [
        (#"{"platform":"iOS"}"#, "'token' is missing"),
        (#"{"token":"","platform":"iOS"}"#, "'token' is empty"),
        (#"{"token":"t"}"#, "'platform' is missing"),
        (
            #"{"token":"t","platform":"Symbian"}"#,
            "'platform' cannot be 'Symbian': expected iOS, MacOS, Android, Windows or WebBrowser"
        ),
        (
            #"{"token":"t","platform":"iOS","environment":"prod"}"#,
            "'environment' cannot be 'prod': expected production or sandbox"
        ),
        (#"{"token":7,"platform":"iOS"}"#, "'token' must be a string, not a number"),
        (#"{"token":"t","platform":"iOS","tags":"beta"}"#, "'tags' must be a list of strings, not a string"),
        (#"{"token":"t","platform":"iOS","tags":["a",1]}"#, "'tags' must be a list of strings, but holds a number"),
        (#"{"token":"t","platform":"iOS","data":[]}"#, "'data' must be an object, not an array"),
        (#"{"token":"t","platform":"iOS","tgas":[]}"#, "'tgas' is not known; did you mean 'tags'?"),
        ("[]", "a device must be a JSON object"),
        (#"{"token":"t" "#, "column 14: a comma or } is expected after a member"),
    ])
    func `a line that is no device says why`(_ line: String, _ problem: String) throws {
        let read = try records("\n" + line, .jsonl)
        #expect(read.map(\.line) == [2])
        #expect(throws: RecordError(problem)) { try read[0].result.get() }
    }

    @Test func `unknown members can be left out`() throws {
        let lenient = RegistrationDecoder(now: .distantPast, ignoresUnknown: true)
        #expect(
            try records(#"{"token":"t","platform":"iOS","crm":1}"#, .jsonl, decoder: lenient)[0].result.get().token
                == "t")
        #expect(try records("token,platform,crm\nt,iOS,1", .csv, decoder: lenient)[0].result.get().token == "t")
    }

    @Test func `a CSV row is read by the names of its columns`() throws {
        let text = """
            platform,token,tags,topics,data,user
            iOS,t1,beta;digest,"a, b","{""n"": 1}",u
            Android,t2,"[""x;y""]",one|two,,

            """
        let devices = try records(text, .csv).map { try $0.result.get() }
        #expect(devices.map(\.token) == ["t1", "t2"])
        #expect(devices.map(\.tags) == [["beta", "digest"], ["x;y"]])
        #expect(devices.map(\.topics) == [["a", "b"], ["one", "two"]])
        #expect(devices.map(\.data) == [["n": 1], [:]])
        #expect(devices.map(\.userID) == ["u", nil])
    }

    @Test(arguments: [
        ("token,platform\na\n", 2, "the row has 1 fields, but there are 2 columns"),
        ("token,platform,data\na,iOS,{\n", 2, "'data' is not JSON: a member's name in double quotes is expected here"),
        (
            "token,platform\n\"a\nb\",none\n", 2,
            "'platform' cannot be 'none': expected iOS, MacOS, Android, Windows or WebBrowser"
        ),
    ])
    func `a CSV row that is no device says why`(_ text: String, _ line: Int, _ problem: String) throws {
        let read = try records(text, .csv)
        #expect(read.map(\.line) == [line])
        #expect(throws: RecordError(problem)) { try read[0].result.get() }
    }

    @Test(arguments: [
        ("token,plattform\n", "'plattform' is not known; did you mean 'platform'?"),
        ("token\n", "the first line must name the columns, and 'platform' is not among them"),
        ("token,platform,token\n", "the column 'token' occurs twice"),
        ("", "the first line must name the columns, and 'token' is not among them"),
    ])
    func `a wrong heading is told before anything is read`(_ text: String, _ problem: String) throws {
        #expect(throws: RecordError(problem)) { try records(text, .csv) }
    }

    @Test func `what is exported reads back, in both formats`() throws {
        let plain = Registration(token: "t2", platform: .android, registeredAt: Date(timeIntervalSince1970: 5))
        for device in [full, plain] {
            let line = JSON.object(RegistrationEncoder.object(device)).serialized()
            #expect(try records(line, .jsonl)[0].result.get() == device)
            let rows = RegistrationEncoder.csvHeading + "\n" + RegistrationEncoder.csv(device)
            #expect(try records(rows, .csv)[0].result.get() == device)
        }
    }

    @Test(arguments: [
        ("devices.csv", RegistrationFormat.csv), ("A.JSONL", .jsonl), ("x.ndjson", .jsonl), ("x.json", .jsonl),
        ("-", nil), ("csv", nil),
    ])
    func `the name of a file tells its format`(_ name: String, _ format: RegistrationFormat?) {
        #expect(RegistrationFormat(fileName: name) == format)
    }
}
