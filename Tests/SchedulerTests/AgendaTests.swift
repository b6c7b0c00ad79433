import PushTestSupport
import Scheduler
import Schedules
import TestSupport
import Testing

struct AgendaTests {
    @Test func `campaigns come up by time and then by id`() {
        var agenda = Agenda()
        agenda.set("b", at: Instant(secondsSinceEpoch: 10))
        agenda.set("a", at: Instant(secondsSinceEpoch: 10))
        agenda.set("c", at: Instant(secondsSinceEpoch: 5))
        agenda.set("d", at: Instant(secondsSinceEpoch: 11))
        #expect(agenda.next == Instant(secondsSinceEpoch: 5))
        #expect(agenda.takeDue(at: Instant(secondsSinceEpoch: 10)) == ["c", "a", "b"])
        #expect(agenda.next == Instant(secondsSinceEpoch: 11))
    }

    @Test(arguments: 0..<20)
    func `it agrees with a plain table, however often entries move`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var agenda = Agenda()
        var table: [String: Int64] = [:]
        for _ in 0..<3_000 {
            let id = "c\(Int.random(in: 0..<40, using: &random))"
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                agenda.set(id, at: nil)
                table[id] = nil
            case 1:
                let now = Int64.random(in: 0..<100, using: &random)
                let due = table.filter { $0.value <= now }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
                #expect(agenda.takeDue(at: Instant(secondsSinceEpoch: now)) == due)
                for id in due { table[id] = nil }
            default:
                let time = Int64.random(in: 0..<1_000, using: &random)
                agenda.set(id, at: Instant(secondsSinceEpoch: time))
                table[id] = time
            }
            #expect(agenda.next?.secondsSinceEpoch == table.values.min())
        }
    }
}
