package import Schedules

/// When to look at which campaign: a binary heap, so that the next one is found at once among very many.
package struct Agenda: Sendable {
    private struct Entry: Sendable {
        var instant: Instant
        var campaign: String

        func isBefore(_ other: Entry) -> Bool {
            (instant, campaign) < (other.instant, other.campaign)
        }
    }

    private var heap: [Entry] = []
    /// The entry that counts for each campaign; others in the heap are left-overs, dropped when they come up.
    private var current: [String: Instant] = [:]

    package init() {}

    /// When the first campaign is to be looked at.
    package var next: Instant? {
        mutating get {
            dropLeftOvers()
            return heap.first?.instant
        }
    }

    /// Puts a campaign at an instant, or takes it off the agenda.
    package mutating func set(_ campaign: String, at instant: Instant?) {
        guard current[campaign] != instant else { return }
        current[campaign] = instant
        guard let instant else { return }
        heap.append(Entry(instant: instant, campaign: campaign))
        rise(heap.count - 1)
        if heap.count > 2 * current.count + 64 { rebuild() }
    }

    /// Takes the campaigns off that are due, the earliest first and then by id.
    package mutating func takeDue(at now: Instant) -> [String] {
        var due: [String] = []
        while let next, next <= now {
            let entry = removeFirst()
            current[entry.campaign] = nil
            due.append(entry.campaign)
        }
        return due
    }

    private mutating func dropLeftOvers() {
        while let first = heap.first, current[first.campaign] != first.instant { _ = removeFirst() }
    }

    private mutating func rebuild() {
        heap = current.map { Entry(instant: $0.value, campaign: $0.key) }.sorted { $0.isBefore($1) }
    }

    private mutating func removeFirst() -> Entry {
        heap.swapAt(0, heap.count - 1)
        let first = heap.removeLast()
        sink(0)
        return first
    }

    private mutating func rise(_ start: Int) {
        var child = start
        while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func sink(_ start: Int) {
        var parent = start
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].isBefore(heap[least])
            {
                least = child
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
