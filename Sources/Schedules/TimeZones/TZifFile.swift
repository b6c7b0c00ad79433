/// Why a compiled time zone file cannot be used.
struct TZifError: Error, CustomStringConvertible {
    var description: String
}

/// A compiled time zone file, RFC 9636, versions 1 to 4.
struct TZifFile {
    struct LocalTimeType: Sendable, Hashable {
        /// Seconds ahead of UTC.
        var offset: Int
        var isDaylightSaving: Bool
        var abbreviation: String
    }

    /// Instants, in seconds since the epoch, in rising order.
    var transitions: [Int64]
    /// The type that holds from each transition on, as an index into `types`.
    var transitionTypes: [UInt8]
    /// At least one; the first holds before the first transition (section 3.2).
    var types: [LocalTimeType]
    /// What holds after the last transition; without it the last type holds for ever.
    var footer: PosixTimeZone?

    init(parsing bytes: [UInt8]) throws(TZifError) {
        var reader = BigEndianReader(bytes)
        let first = try Header(&reader)
        guard first.version >= 2 else {
            self = try Self.body(first, timeSize: 4, &reader)
            return
        }
        // The first block repeats the second in 32 bits, for readers of old.
        try reader.skip(first.bodySize(timeSize: 4))
        let second = try Header(&reader)
        self = try Self.body(second, timeSize: 8, &reader)
        footer = try Self.footer(&reader)
    }

    private init(transitions: [Int64], transitionTypes: [UInt8], types: [LocalTimeType]) {
        self.transitions = transitions
        self.transitionTypes = transitionTypes
        self.types = types
    }

    private struct Header {
        var version: Int
        var isUTCCount: Int
        var isStandardCount: Int
        var leapCount: Int
        var timeCount: Int
        var typeCount: Int
        var characterCount: Int

        init(_ reader: inout BigEndianReader) throws(TZifError) {
            guard try reader.bytes(4) == Array("TZif".utf8)[...] else {
                throw TZifError(description: "it is not a compiled time zone file")
            }
            let mark = try reader.byte()
            version = mark == 0 ? 1 : Int(mark) - Int(UInt8(ascii: "0"))
            try reader.skip(15)
            isUTCCount = try reader.count()
            isStandardCount = try reader.count()
            leapCount = try reader.count()
            timeCount = try reader.count()
            typeCount = try reader.count()
            characterCount = try reader.count()
            guard (1...256).contains(typeCount) else { throw TZifError(description: "it holds no local time types") }
        }

        func bodySize(timeSize: Int) -> Int {
            timeCount * (timeSize + 1) + typeCount * 6 + characterCount + leapCount * (timeSize + 4) + isStandardCount
                + isUTCCount
        }
    }

    private static func body(
        _ header: Header, timeSize: Int, _ reader: inout BigEndianReader
    ) throws(TZifError) -> TZifFile {
        guard header.leapCount == 0 else {
            throw TZifError(description: "it counts leap seconds, which instants here do not")
        }
        guard header.bodySize(timeSize: timeSize) <= reader.remaining else {
            throw TZifError(description: "it is cut short")
        }
        var transitions: [Int64] = []
        transitions.reserveCapacity(header.timeCount)
        for _ in 0..<header.timeCount {
            let time = try reader.signed(timeSize)
            guard transitions.last.map({ $0 < time }) ?? true else {
                throw TZifError(description: "its transitions are not in rising order")
            }
            // Far more than the age of the universe, and far from overflowing when an offset is added.
            guard abs(time / 2) < 1 << 59 else { throw TZifError(description: "a transition is out of all time") }
            transitions.append(time)
        }
        let transitionTypes = Array(try reader.bytes(header.timeCount))
        guard transitionTypes.allSatisfy({ Int($0) < header.typeCount }) else {
            throw TZifError(description: "a transition points at a type that is not there")
        }
        let types = try localTimeTypes(header, &reader)
        try reader.skip(header.isStandardCount + header.isUTCCount)
        return TZifFile(transitions: transitions, transitionTypes: transitionTypes, types: types)
    }

    private static func localTimeTypes(
        _ header: Header, _ reader: inout BigEndianReader
    ) throws(TZifError) -> [LocalTimeType] {
        var plain: [(offset: Int, isDaylightSaving: Bool, name: Int)] = []
        for _ in 0..<header.typeCount {
            let offset = Int(try reader.signed(4))
            guard abs(offset) < 26 * 3_600 else {
                throw TZifError(description: "an offset from UTC is beyond 26 hours")
            }
            plain.append((offset, try reader.byte() != 0, Int(try reader.byte())))
        }
        let names = try reader.bytes(header.characterCount)
        var types: [LocalTimeType] = []
        for type in plain {
            guard type.name < names.count else { throw TZifError(description: "an abbreviation is not there") }
            let name = names[(names.startIndex + type.name)...].prefix { $0 != 0 }
            types.append(
                LocalTimeType(
                    offset: type.offset, isDaylightSaving: type.isDaylightSaving,
                    abbreviation: String(decoding: name, as: UTF8.self)))
        }
        return types
    }

    private static func footer(_ reader: inout BigEndianReader) throws(TZifError) -> PosixTimeZone? {
        guard try reader.byte() == UInt8(ascii: "\n") else { throw TZifError(description: "its footer is missing") }
        let rest = try reader.bytes(reader.remaining)
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
            throw TZifError(description: "its footer is cut short")
        }
        let text = String(decoding: rest[..<end], as: UTF8.self)
        guard !text.isEmpty else { return nil }
        guard let rule = PosixTimeZone(text) else {
            throw TZifError(description: "its footer '\(text)' is not a POSIX time zone")
        }
        return rule
    }
}

/// Reads numbers in network order and never past the end.
private struct BigEndianReader {
    private let data: [UInt8]
    private var position = 0

    init(_ data: [UInt8]) { self.data = data }

    var remaining: Int { data.count - position }

    mutating func bytes(_ count: Int) throws(TZifError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else { throw TZifError(description: "it is cut short") }
        defer { position += count }
        return data[position..<position + count]
    }

    mutating func skip(_ count: Int) throws(TZifError) { _ = try bytes(count) }

    mutating func byte() throws(TZifError) -> UInt8 {
        guard remaining > 0 else { throw TZifError(description: "it is cut short") }
        defer { position += 1 }
        return data[position]
    }

    /// A count of things that take at least a byte each, so it is never larger than the file.
    mutating func count() throws(TZifError) -> Int {
        let number = try signed(4)
        guard number >= 0, number <= data.count else { throw TZifError(description: "one of its counts is too large") }
        return Int(number)
    }

    mutating func signed(_ size: Int) throws(TZifError) -> Int64 {
        var bits: UInt64 = 0
        for byte in try bytes(size) { bits = bits << 8 | UInt64(byte) }
        return size == 4 ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(bitPattern: bits)
    }
}
