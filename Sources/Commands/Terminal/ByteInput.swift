/// Where a verb reads from.
package protocol ByteInput: Sendable {
    /// The next bytes, at most `count`; none at the end.
    func read(upTo count: Int) throws(InputFailure) -> [UInt8]
}

/// Why an input cannot be read.
package struct InputFailure: Error, Sendable, Hashable, CustomStringConvertible {
    package var name: String
    package var reason: String

    package init(name: String, reason: String) {
        self.name = name
        self.reason = reason
    }

    package var description: String { "\(name) cannot be read: \(reason)" }
}

extension ByteInput {
    /// Everything up to the end, or an error when that is more than `limit` bytes.
    package func readAll(name: String, limit: Int = 64 << 20) throws(InputFailure) -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let chunk = try read(upTo: 1 << 16)
            if chunk.isEmpty { return all }
            all += chunk
            guard all.count <= limit else {
                throw InputFailure(name: name, reason: "it holds more than \(limit) bytes")
            }
        }
    }
}
