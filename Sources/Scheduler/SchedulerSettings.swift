/// How the scheduler works through its runs.
package struct SchedulerSettings: Sendable, Hashable {
    /// Registrations read, sent and recorded together.
    package var pageSize: Int
    /// Pages of one run that may be with providers at a time.
    package var pagesInFlight: Int
    /// Runs that go on at a time. What they have in flight together is bounded by the pipeline.
    package var concurrentRuns: Int
    /// Whether audiences are counted when their run begins, so that the time left can be told.
    package var countsAudiences: Bool

    package init(
        pageSize: Int = 1_000, pagesInFlight: Int = 2, concurrentRuns: Int = 8, countsAudiences: Bool = false
    ) {
        self.pageSize = max(1, pageSize)
        self.pagesInFlight = max(1, pagesInFlight)
        self.concurrentRuns = max(1, concurrentRuns)
        self.countsAudiences = countsAudiences
    }
}
