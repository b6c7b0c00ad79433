/// The members of a JSON object, in the order in which their keys first came.
///
/// Keys are told apart byte for byte, so that two spellings of one character (NFC and NFD) stay two keys.
/// Two objects are equal when they have equal members, whatever their order.
package struct JSONObject: Sendable {
    package struct Member: Sendable {
        package var key: String
        package var value: JSON
    }

    /// A key compared by its bytes. Hashing may stay that of `String`, which never tells equal bytes apart.
    private struct ExactKey: Hashable {
        let text: String

        static func == (left: ExactKey, right: ExactKey) -> Bool { JSONObject.isSame(left.text, right.text) }
        func hash(into hasher: inout Hasher) { hasher.combine(text) }
    }

    /// Up to this many members a scan is faster than a dictionary.
    private static let scannedMembers = 12

    package private(set) var members: [Member] = []
    /// Where each key stands, once there are too many to scan.
    private var positions: [ExactKey: Int]?

    package init() {}

    /// An object of these members; the last of two equal keys wins and takes the place of the first.
    package init(_ members: some Sequence<(String, JSON)>) {
        for (key, value) in members { self[key] = value }
    }

    package var count: Int { members.count }
    package var isEmpty: Bool { members.isEmpty }
    package var keys: [String] { members.map(\.key) }

    /// Setting a new key puts it at the end, setting a known one keeps its place, setting `nil` removes it.
    package subscript(key: String) -> JSON? {
        get { position(of: key).map { members[$0].value } }
        set {
            switch (position(of: key), newValue) {
            case (let position?, let value?): members[position].value = value
            case (let position?, nil): remove(at: position)
            case (nil, let value?): append(key, value)
            case (nil, nil): break
            }
        }
    }

    private func position(of key: String) -> Int? {
        if let positions { return positions[ExactKey(text: key)] }
        return members.firstIndex { Self.isSame($0.key, key) }
    }

    private mutating func append(_ key: String, _ value: JSON) {
        members.append(Member(key: key, value: value))
        if positions != nil {
            positions?[ExactKey(text: key)] = members.count - 1
        } else if members.count > Self.scannedMembers {
            indexMembers()
        }
    }

    private mutating func remove(at position: Int) {
        members.remove(at: position)
        if positions != nil { indexMembers() }
    }

    private mutating func indexMembers() {
        var positions = [ExactKey: Int](minimumCapacity: members.count * 2)
        for (position, member) in members.enumerated() { positions[ExactKey(text: member.key)] = position }
        self.positions = positions
    }

    private static func isSame(_ left: String, _ right: String) -> Bool {
        left == right && left.utf8.elementsEqual(right.utf8)
    }
}

extension JSONObject: Hashable {
    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count && left.members.allSatisfy { right[$0.key] == $0.value }
    }

    package func hash(into hasher: inout Hasher) {
        // Equal objects may differ in order, so the members' hashes are summed.
        var sum = 0
        for member in members {
            var memberHasher = Hasher()
            memberHasher.combine(member.key)
            memberHasher.combine(member.value)
            sum &+= memberHasher.finalize()
        }
        hasher.combine(sum)
    }
}

extension JSONObject: Sequence {
    package func makeIterator() -> IndexingIterator<[Member]> { members.makeIterator() }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral members: (String, JSON)...) { self.init(members) }
}
