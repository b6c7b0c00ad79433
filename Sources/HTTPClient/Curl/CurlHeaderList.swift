import CCurl

/// A list of header lines in the form libcurl reads, in memory that is used again for the next list.
@safe final class CurlHeaderList {
    private var nodes: UnsafeMutableBufferPointer<curl_slist> = unsafe .init(start: nil, count: 0)
    private var text: UnsafeMutableBufferPointer<CChar> = unsafe .init(start: nil, count: 0)
    /// Where the list begins; the following list's first node where this one is empty.
    private(set) var first: UnsafeMutablePointer<curl_slist>?
    /// The list that this one runs into, kept alive with it.
    private var following: CurlHeaderList?

    deinit {
        unsafe nodes.deallocate()
        unsafe text.deallocate()
    }

    /// Replaces the list's content by these fields, followed by the fields of another list.
    func set(_ fields: [HTTPHeader], followedBy following: CurlHeaderList?) throws(InvalidHeader) {
        reserve(
            nodes: fields.count,
            bytes: fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 3 })
        self.following = following
        unsafe first = following?.first
        var position = 0
        for (index, field) in fields.enumerated() {
            let start = position
            guard append(field.name, at: &position, allows: \.isHeaderName), !field.name.isEmpty else {
                throw InvalidHeader(name: field.name)
            }
            // libcurl takes a name with a colon and nothing else for the wish to leave the field out.
            put(field.value.isEmpty ? ";" : ":", at: &position)
            if !field.value.isEmpty { put(" ", at: &position) }
            guard append(field.value, at: &position, allows: \.isHeaderValue) else {
                throw InvalidHeader(name: field.name)
            }
            unsafe text[position] = 0
            position += 1
            link(index, of: fields.count, to: start)
        }
    }

    /// Replaces the content by lines that tell libcurl to leave out fields it would add by itself.
    func setOmitted(_ names: [String]) {
        reserve(nodes: names.count, bytes: names.reduce(0) { $0 + $1.utf8.count + 2 })
        following = nil
        unsafe first = nil
        var position = 0
        for (index, name) in names.enumerated() {
            let start = position
            _ = append(name, at: &position, allows: \.isHeaderName)
            put(":", at: &position)
            unsafe text[position] = 0
            position += 1
            link(index, of: names.count, to: start)
        }
    }

    private func reserve(nodes nodeCount: Int, bytes: Int) {
        if unsafe nodes.count < nodeCount {
            unsafe nodes.deallocate()
            unsafe nodes = .allocate(capacity: nodeCount + 4)
        }
        if unsafe text.count < bytes {
            unsafe text.deallocate()
            unsafe text = .allocate(capacity: bytes + 64)
        }
    }

    private func link(_ index: Int, of count: Int, to start: Int) {
        guard let nodeBase = unsafe nodes.baseAddress, let textBase = unsafe text.baseAddress else { return }
        let next = unsafe index + 1 < count ? nodeBase + index + 1 : following?.first
        unsafe (nodeBase + index).initialize(to: curl_slist(data: textBase + start, next: next))
        if index == 0 { unsafe first = nodeBase }
    }

    private func put(_ character: Unicode.Scalar, at position: inout Int) {
        unsafe text[position] = CChar(truncatingIfNeeded: character.value)
        position += 1
    }

    private func append(_ string: String, at position: inout Int, allows isAllowed: (UInt8) -> Bool) -> Bool {
        for byte in string.utf8 {
            guard isAllowed(byte) else { return false }
            unsafe text[position] = CChar(bitPattern: byte)
            position += 1
        }
        return true
    }
}
