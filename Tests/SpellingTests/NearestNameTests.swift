import Spelling
import Testing

struct NearestNameTests {
    @Test(arguments: [
        ("platfroms", "platforms"), ("skip_taged", "skip_tagged"), ("TITLE", "title"), ("time-to-live", "time_to_live"),
        ("titel", "title"), ("badges", "badge"), ("rnu", "run"), ("tittle", "title"), ("itle", "title"),
        ("timeToLive", "time_to_live"),
        ("cmapaigns", "campaigns"), ("previw", "preview"),
    ])
    func `a slip of the keyboard leads to the name that was meant`(written: String, meant: String) {
        let known = [
            "platforms", "skip_tagged", "title", "time_to_live", "badge", "run", "tags", "campaigns", "preview",
        ]
        #expect(nearestName(to: written, among: known) == meant)
    }

    @Test(arguments: ["", "x", "zzzzzz", "tag_everything_twice", String(repeating: "platforms", count: 10_000)])
    func `what is near to nothing has no suggestion`(written: String) {
        #expect(nearestName(to: written, among: ["platforms", "title", "run"]) == nil)
    }

    @Test(arguments: [
        ("run", "run", 0), ("rnu", "run", 1), ("ru", "run", 1), ("runs", "run", 1), ("ran", "run", 1),
        ("abc", "xyz", 3),
    ])
    func `the distance counts letters put in, taken out, replaced and swapped`(left: String, right: String, edits: Int)
    {
        #expect(editDistance(Array(left.utf8), Array(right.utf8), limit: 3) == edits)
        #expect(editDistance(Array(left.utf8), Array(right.utf8), limit: edits - 1) == nil)
    }
}
