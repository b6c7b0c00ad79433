import Testing

@testable import Schedules

@Suite struct SentenceTests {
    private func sentence(
        _ rule: ScheduleDeclaration.Rule, in zone: String = "Europe/Berlin",
        adjust: (inout ScheduleDeclaration) -> Void = { _ in }
    ) throws -> String {
        var declaration = ScheduleDeclaration(rules: [rule], timezone: zone)
        adjust(&declaration)
        return try Schedule(declaration, campaign: "test").sentence
    }

    @Test(arguments: [
        ("0 9 * * MON", "At 09:00 on Mondays"), ("0 9 * * *", "At 09:00 every day"),
        ("0 9,18 * * MON-FRI", "At 09:00 and 18:00 on Monday to Friday"), ("*/15 * * * *", "Every 15 minutes"),
        ("*/15 9-17 * * *", "Every 15 minutes from 09:00 to 17:59 every day"), ("0 * * * *", "Every hour on the hour"),
        ("5 * * * *", "At minute 5 of every hour"), ("* * * * *", "Every minute"),
        ("0 */2 * * *", "At minute 0 of every 2nd hour from midnight"), ("* * * * * *", "Every second of every minute"),
        ("30 0 9 * * *", "At 09:00:30 every day"), ("0 9 1,15 * *", "At 09:00 on the 1st and 15th of the month"),
        ("0 9 L * *", "At 09:00 on the last day of the month"),
        ("0 9 L-2 * *", "At 09:00 on the 3rd last day of the month"),
        ("0 9 LW * *", "At 09:00 on the last working day of the month"),
        ("0 9 15W 1,7 *", "At 09:00 on the working day nearest the 15th of the month in January and July"),
        ("0 9 * JUN-AUG MON#2", "At 09:00 on the 2nd Monday of the month in June to August"),
        ("0 9 * * FRIL", "At 09:00 on the last Friday of the month"),
        ("0 9 13 * FRI", "At 09:00 on the 13th of the month, and also on Fridays"),
        ("0 9 * * SAT,SUN", "At 09:00 on Saturdays and Sundays"),
    ])
    func `a cron expression is said in words`(cron: String, words: String) throws {
        #expect(try sentence(.cron(cron)) == words + ", Europe/Berlin time.")
    }

    @Test(arguments: [
        (ScheduleDeclaration.Rule.every("90m"), "Every 1h30m of real time, counted from 1970-01-01 at 00:00 UTC"),
        (.every("12h", anchor: "2026-12-01 09:00"), "Every 12h of real time, counted from 2026-12-01 at 09:00"),
        (.at(["2026-12-01 09:00"]), "Once on 2026-12-01 at 09:00"),
        (
            .at(["2026-12-01 09:00", "2026-12-02T08:00:00Z"]),
            "Once on 2026-12-01 at 09:00 and on 2026-12-02 at 09:00"
        ),
        (.calendar("Mon..Fri 09:00"), "At 09:00 on Monday to Friday"),
        (.calendar("*-*~01 18:00"), "At 18:00 on the last day of the month"),
        (
            .calendar("Mon *-05~07/1"),
            "At 00:00 on the last 7 days of the month, but only on Mondays in May"
        ),
        (.calendar("2027-12-24 18:00"), "At 18:00 on the 24th of the month in December of 2027"),
        (.rrule("FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=9"), "At 09:00 every month on the last Friday of the month"),
        (.rrule("FREQ=WEEKLY;BYDAY=MO,WE;BYHOUR=9"), "At 09:00 every week on Mondays and Wednesdays"),
        (
            .rrule("FREQ=WEEKLY;INTERVAL=2;COUNT=5", anchor: "2026-12-01 09:00"),
            "At 09:00 every 2 weeks on Tuesdays, counted from 2026-12-01 at 09:00, 5 times"
        ),
        (
            .rrule("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;BYHOUR=17;UNTIL=20271231"),
            "At 17:00 every month on Monday to Friday, of these the last of each month, until 2027-12-31"
        ),
        (.rrule("FREQ=HOURLY;BYDAY=SA"), "Every hour at minute 0 on Saturdays"),
    ])
    func `each kind of rule is said in words`(rule: ScheduleDeclaration.Rule, words: String) throws {
        #expect(try sentence(rule) == words + ", Europe/Berlin time.")
    }

    @Test func `bounds, windows, exceptions and jitter follow`() throws {
        let words = try sentence(.cron("0 9 * * MON")) {
            $0.starts = "2026-12-01"
            $0.ends = "2027-06-30"
            $0.only = [.init(days: "MON-FRI", hours: "09:00-18:00")]
            $0.except = [.date("2026-12-28"), .range(from: "2027-01-04", to: "2027-01-11")]
            $0.jitter = "5m"
        }
        #expect(
            words == "At 09:00 on Mondays, Europe/Berlin time, from 2026-12-01 at 00:00 on, "
                + "until 2027-06-30 at 23:59:59, but only on Monday to Friday from 09:00 to 18:00, "
                + "except on 2026-12-28 and from 2027-01-04 to 2027-01-11, each sent up to 5m later.")
        #expect(
            try sentence(.cron("0 9 * * *"), in: "recipient") { $0.fallbackTimezone = "Asia/Tokyo" }
                == "At 09:00 every day, on each device's own clock (Asia/Tokyo where a device has no time zone).")
    }

    @Test func `the rule for the changes of the clocks is said, where a zone has any`() throws {
        func words(_ rules: [ScheduleDeclaration.Rule], _ zone: String = "Europe/Berlin") throws -> String? {
            try Schedule(
                ScheduleDeclaration(rules: rules, timezone: zone, gap: "skip", overlapHour: "both"), campaign: "a"
            ).clockChangeSentence
        }
        #expect(
            try words([.cron("0 9 * * *")])
                == "A time that the clocks skip does not fire that day; a time that they show twice fires in both passes."
        )
        #expect(try words([.every("1h")]) == "It follows real time where the clocks change.")
        #expect(
            try words([.every("1h"), .calendar("daily")])?.hasSuffix("What follows the hour follows real time.") == true
        )
        #expect(try words([.cron("0 9 * * *")], "UTC") == nil)
    }
}
