/// The header lists of `sharedHeaders` arrays, built once for each array.
///
/// An array is recognised by where its storage lies. That is sound because each entry keeps its array: the storage can
/// be neither freed nor changed in place while the entry stands.
struct SharedHeaderLists {
    private struct Entry {
        var fields: [HTTPHeader]
        var address: UInt
        var list: CurlHeaderList
    }

    private static let capacity = 16
    private var entries: [Entry] = []
    private var oldest = 0
    /// Fields that libcurl would add on its own account and that nobody asked for.
    private let omissions: CurlHeaderList = {
        let list = CurlHeaderList()
        list.setOmitted(["accept", "content-type", "expect"])
        return list
    }()

    mutating func list(for fields: [HTTPHeader]) throws(InvalidHeader) -> CurlHeaderList {
        if fields.isEmpty { return omissions }
        let address = unsafe fields.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        for entry in entries where entry.address == address && entry.fields.count == fields.count {
            return entry.list
        }
        let list = CurlHeaderList()
        try list.set(fields, followedBy: omissions)
        let entry = Entry(fields: fields, address: address, list: list)
        if entries.count < Self.capacity {
            entries.append(entry)
        } else {
            entries[oldest] = entry
            oldest = (oldest + 1) % Self.capacity
        }
        return list
    }
}
