import Campaigns
import FoundationEssentials
import PushTestSupport
import Scheduler
import Schedules
import Storage
import TestSupport
import Testing

struct RunBoardTests {
    private func run(_ campaign: String, _ id: Int64) -> Run {
        Run(
            id: RunID(rawValue: id), campaign: campaign, occurrence: Instant(secondsSinceEpoch: id), state: .sending,
            batchID: "\(id)", startedAt: .test())
    }

    private func add(
        _ board: inout RunBoard, _ run: Run, _ overlap: RunOverlap = .skip, _ origin: RunBoard.Origin = .due
    ) {
        #expect(board.add(run, overlap: overlap, origin: origin) == .accepted)
    }

    @Test func `no more runs go on than allowed, and the longest waiting is next`() {
        var board = RunBoard(limit: 2)
        let runs = (1...4).map { run("c\($0)", $0) }
        for run in runs { add(&board, run) }
        #expect(board.takeStartable() == Array(runs[0...1]))
        #expect(board.takeStartable() == [])
        board.end(runs[1])
        #expect(board.takeStartable() == [runs[2]])
        for run in runs[...2] { board.end(run) }
        #expect(board.takeStartable() == [runs[3]])
        board.end(runs[3])
        #expect(board.isIdle)
    }

    @Test func `an occurrence that falls into its campaign's run is left out`() {
        var board = RunBoard(limit: 4)
        add(&board, run("c", 1))
        _ = board.takeStartable()
        #expect(board.add(run("c", 2), overlap: .skip, origin: .due) == .overlaps(with: run("c", 1)))
        add(&board, run("other", 3))
        #expect(board.takeStartable() == [run("other", 3)])
        board.end(run("c", 1))
        add(&board, run("c", 4))
        #expect(board.takeStartable() == [run("c", 4)])
    }

    @Test func `one that waits counts as unfinished too`() {
        var board = RunBoard(limit: 1)
        add(&board, run("a", 1))
        add(&board, run("c", 2))
        _ = board.takeStartable()
        #expect(board.add(run("c", 3), overlap: .skip, origin: .due) == .overlaps(with: run("c", 2)))
    }

    @Test func `queued runs of a campaign follow each other and hold nobody else up`() {
        var board = RunBoard(limit: 3)
        for id in Int64(1)...3 { add(&board, run("c", id), .queue) }
        add(&board, run("d", 4), .queue)
        #expect(board.takeStartable() == [run("c", 1), run("d", 4)])
        board.end(run("c", 1))
        #expect(board.takeStartable() == [run("c", 2)])
    }

    @Test func `a backlog is worked off one by one also where overlaps are skipped`() {
        var board = RunBoard(limit: 3)
        add(&board, run("c", 1))
        add(&board, run("c", 2), RunOverlap.skip, .backlog)
        #expect(board.takeStartable() == [run("c", 1)])
        board.end(run("c", 1))
        #expect(board.takeStartable() == [run("c", 2)])
    }

    @Test func `an occurrence that falls while an interrupted run goes on follows it instead of being lost`() {
        var board = RunBoard(limit: 3)
        add(&board, run("c", 1), .skip, .resumed)
        #expect(board.takeStartable() == [run("c", 1)])
        add(&board, run("c", 2))
        #expect(board.takeStartable() == [])
        #expect(board.add(run("c", 3), overlap: .skip, origin: .due) == .overlaps(with: run("c", 2)))
        board.end(run("c", 1))
        #expect(board.takeStartable() == [run("c", 2)])
    }

    @Test func `runs that may overlap do`() {
        var board = RunBoard(limit: 3)
        add(&board, run("c", 1), .allow)
        add(&board, run("c", 2), .allow)
        #expect(board.takeStartable() == [run("c", 1), run("c", 2)])
        board.end(run("c", 1))
        #expect(!board.isIdle && !board.contains(RunID(rawValue: 1)) && board.contains(RunID(rawValue: 2)))
    }

    @Test(arguments: 0..<20)
    func `every accepted run is started once, and the bounds hold`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var board = RunBoard(limit: 3)
        var going: [Run] = []
        var accepted: Set<RunID> = []
        var started: Set<RunID> = []
        for id in Int64(1)...500 {
            let policy = RunOverlap.allCases.randomElement(using: &random) ?? .skip
            let new = run("\(policy)-\(Int.random(in: 0..<4, using: &random))", id)
            if board.add(new, overlap: policy, origin: Bool.random(using: &random) ? .due : .backlog) == .accepted {
                accepted.insert(new.id)
            }
            for run in board.takeStartable() {
                #expect(started.insert(run.id).inserted)
                going.append(run)
            }
            #expect(going.count <= 3)
            for (campaign, runs) in Dictionary(grouping: going, by: \.campaign) where !campaign.hasPrefix("allow") {
                #expect(runs.count == 1)
            }
            if Bool.random(using: &random), let index = going.indices.randomElement(using: &random) {
                board.end(going.remove(at: index))
            }
        }
        while let run = going.popLast() {
            board.end(run)
            for run in board.takeStartable() {
                #expect(started.insert(run.id).inserted)
                going.append(run)
            }
        }
        #expect(started == accepted)
        #expect(board.isIdle)
    }
}
