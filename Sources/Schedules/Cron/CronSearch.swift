extension CronExpression: DailyTimesRule {
    func matchingDays(ofMonth month: Int, year: Int) -> UInt64 {
        months.hasBit(month) ? days.days(ofMonth: month, year: year) : 0
    }
}
