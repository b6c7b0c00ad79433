import Synchronization

/// An input of which the beginning was looked at already.
final class PeekedInput: ByteInput {
    /// Empty where the input is.
    let beginning: [UInt8]
    private let unread: Mutex<[UInt8]>
    private let rest: any ByteInput

    init(_ input: any ByteInput) throws(InputFailure) {
        beginning = try input.read(upTo: 1 << 16)
        unread = Mutex(beginning)
        rest = input
    }

    func read(upTo count: Int) throws(InputFailure) -> [UInt8] {
        let piece = unread.withLock { unread in
            defer { unread.removeFirst(min(count, unread.count)) }
            return Array(unread.prefix(count))
        }
        return piece.isEmpty ? try rest.read(upTo: count) : piece
    }
}
