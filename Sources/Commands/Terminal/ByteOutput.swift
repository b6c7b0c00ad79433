/// Where a verb writes to.
package protocol ByteOutput: Sendable {
    func write(_ bytes: [UInt8]) throws(OutputFailure)
    /// Hands everything written so far to the reader.
    func flush() throws(OutputFailure)
}

extension ByteOutput {
    package func write(_ text: String) throws(OutputFailure) { try write(Array(text.utf8)) }

    package func writeLine(_ text: String) throws(OutputFailure) {
        var bytes = Array(text.utf8)
        bytes.append(UInt8(ascii: "\n"))
        try write(bytes)
    }
}

/// Why nothing more can be written.
package enum OutputFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reader went away, as `head` does when it has its lines. No reason to complain.
    case readerGone
    case failed(String)

    package var description: String {
        switch self {
        case .readerGone: "nobody reads the output any more"
        case .failed(let reason): "the output cannot be written: \(reason)"
        }
    }
}
