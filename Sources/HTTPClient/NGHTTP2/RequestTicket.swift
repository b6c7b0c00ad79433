/// A request of a batch that a worker has taken.
struct RequestTicket {
    let batch: RequestBatch
    let index: Int
    /// How often in a row its stream was refused while the server answered nobody else.
    var refusals = 0
    /// What the lane had counted as responses when the request started.
    var responsesAtStart = 0
    /// Set when the request is first on its way; a second attempt has no more time.
    var deadline: MonotonicTime?

    func finish(_ outcome: RequestBatch.Outcome) { batch.finish(index, with: outcome) }
}

/// The tickets that are on their way, by labels that are used again.
struct TicketTable {
    private var tickets: [RequestTicket?] = []
    private var free: [Int] = []

    var count: Int { tickets.count - free.count }

    subscript(label: Int) -> RequestTicket? { tickets.indices.contains(label) ? tickets[label] : nil }

    mutating func insert(_ ticket: RequestTicket) -> Int {
        guard let label = free.popLast() else {
            tickets.append(ticket)
            return tickets.count - 1
        }
        tickets[label] = ticket
        return label
    }

    mutating func remove(_ label: Int) -> RequestTicket? {
        guard tickets.indices.contains(label), let ticket = tickets[label] else { return nil }
        tickets[label] = nil
        free.append(label)
        return ticket
    }
}
