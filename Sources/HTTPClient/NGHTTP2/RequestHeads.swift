/// The header blocks of one origin, one for each method and `sharedHeaders` array.
///
/// An array is recognised by where its storage lies. That is sound because each block keeps its array: the storage can be
/// neither freed nor changed in place while the block stands.
struct RequestHeads {
    private static let capacity = 16
    private let authority: String
    private var entries: [(address: UInt, head: RequestHead)] = []
    private var oldest = 0

    init(_ origin: HTTPOrigin) {
        authority = String(origin.description.dropFirst("https://".count))
    }

    mutating func head(for request: HTTPRequest) throws(InvalidHeader) -> RequestHead {
        let fields = request.sharedHeaders
        let address = unsafe fields.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        for entry in entries
        where entry.address == address && entry.head.sharedFields.count == fields.count
            && entry.head.method == request.method
        {
            return entry.head
        }
        let head = try RequestHead(method: request.method, authority: authority, sharedFields: fields)
        if entries.count < Self.capacity {
            entries.append((address, head))
        } else {
            entries[oldest] = (address, head)
            oldest = (oldest + 1) % Self.capacity
        }
        return head
    }
}

extension HTTPRequest {
    /// What keeps the request from being sent, beside its fields.
    var problem: String? {
        if method.isEmpty || !method.utf8.allSatisfy(\.isHeaderName) { return "“\(method)” is not a method" }
        // The target's form is checked where it begins; RFC 3986 allows nothing else inside than printable ASCII.
        if path.utf8.first != UInt8(ascii: "/") || !path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) {
            return "the path “\(path)” must begin with “/” and be plain ASCII"
        }
        return nil
    }
}
