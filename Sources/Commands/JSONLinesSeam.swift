import JSON

/// The seam by which other programs drive a verb: one JSON object a line in, one a line out, in the same order.
///
/// What cannot be answered gives `{"error": …}` and the next line is read. Every answer is handed over at once, so that a
/// program may wait for it before it asks again.
enum JSONLinesSeam {
    /// Why a line has no answer.
    struct Refusal: Error {
        var reason: String

        init(_ reason: String) { self.reason = reason }
    }

    static func run(_ invocation: Invocation, answer: (JSONObject) throws -> JSONObject) throws -> ExitCode {
        var reader = LineReader(invocation.environment.input, maximumLength: 64 << 20)
        var writer = JSONWriter()
        while let line = try reader.next() {
            if line.bytes.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) { continue }
            writer.removeAll()
            writer.value(.object(Self.answer(line, answer)))
            writer.newline()
            try invocation.environment.output.write(writer.bytes)
            try invocation.environment.output.flush()
        }
        return .success
    }

    private static func answer(_ line: LineReader.Line, _ answer: (JSONObject) throws -> JSONObject) -> JSONObject {
        do {
            guard !line.isTooLong else { throw Refusal("the line is longer than \(line.bytes.count) bytes") }
            guard let request = try JSON(parsing: line.bytes).objectValue else {
                throw Refusal("a request must be a JSON object")
            }
            return try answer(request)
        } catch let refusal as Refusal {
            return ["error": .string(refusal.reason)]
        } catch {
            return ["error": .string("\(error)")]
        }
    }
}

extension JSONObject {
    /// The member as a string; `nil` when it is absent or null.
    func text(_ key: String) throws(JSONLinesSeam.Refusal) -> String? {
        switch self[key] {
        case nil, .null: return nil
        case .string(let text): return text
        case let other?: throw JSONLinesSeam.Refusal("'\(key)' must be a string, not \(other.kindDescription)")
        }
    }

    /// The member as an object; empty when it is absent or null.
    func object(_ key: String) throws(JSONLinesSeam.Refusal) -> JSONObject {
        switch self[key] {
        case nil, .null: return JSONObject()
        case .object(let object): return object
        case let other?: throw JSONLinesSeam.Refusal("'\(key)' must be an object, not \(other.kindDescription)")
        }
    }

    func refuseKeys(otherThan known: [String]) throws(JSONLinesSeam.Refusal) {
        for key in keys where !known.contains(key) {
            throw JSONLinesSeam.Refusal("'\(key)' is not known; a request has \(known.joined(separator: ", "))")
        }
    }
}
