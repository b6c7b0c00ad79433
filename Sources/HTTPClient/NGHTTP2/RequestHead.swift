import CNGHTTP2

/// The header block of requests that share a method and their shared fields, laid out as nghttp2 reads it.
///
/// The shared part is written once; a request adds its path, its own fields and the length of its body. nghttp2 copies
/// none of it: it compresses the block straight from here, before the next request is laid out.
@safe final class RequestHead {
    let method: String
    let sharedFields: [HTTPHeader]
    private let fixedText: UnsafeMutableBufferPointer<UInt8>
    private var ownText: UnsafeMutableBufferPointer<UInt8>
    private var pairs: UnsafeMutableBufferPointer<nghttp2_nv>
    private let fixedPairs: Int
    private var pathIndex: Int { 3 }

    /// - Throws: `InvalidHeader` for a shared field that cannot be sent.
    init(method: String, authority: String, sharedFields: [HTTPHeader]) throws(InvalidHeader) {
        self.method = method
        self.sharedFields = sharedFields
        let leading = [
            HTTPHeader(":method", method), HTTPHeader(":scheme", "https"), HTTPHeader(":authority", authority),
            HTTPHeader(":path", ""),
        ]
        let size = (leading + sharedFields).reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        unsafe fixedText = .allocate(capacity: size)
        unsafe ownText = .allocate(capacity: 512)
        unsafe pairs = .allocate(capacity: leading.count + sharedFields.count + 16)
        unsafe pairs.initialize(repeating: nghttp2_nv())
        fixedPairs = leading.count + sharedFields.count
        var writer = unsafe FieldWriter(fixedText)
        for (index, field) in leading.enumerated() {
            unsafe pairs[index] = writer.pair(name: writer.raw(field.name), value: writer.raw(field.value))
        }
        for (index, field) in sharedFields.enumerated() {
            unsafe pairs[leading.count + index] = try writer.pair(for: field, isIndexed: true)
        }
    }

    deinit {
        unsafe fixedText.deallocate()
        unsafe ownText.deallocate()
        unsafe pairs.deallocate()
    }

    /// The block of one request, valid until the next call.
    ///
    /// The fields of a request alone differ from one to the next, so the peer is told not to keep them: they would push
    /// the shared ones out of its table (RFC 7541 section 6.2.3).
    @unsafe func lay(_ request: HTTPRequest) throws(InvalidHeader) -> UnsafeBufferPointer<nghttp2_nv> {
        let own = request.headers
        var size = request.path.utf8.count + 14 + 20
        for field in own { size += field.name.utf8.count + field.value.utf8.count }
        reserve(bytes: size, pairs: fixedPairs + own.count + 1)
        var writer = unsafe FieldWriter(ownText)
        let path = unsafe writer.raw(request.path)
        unsafe pairs[pathIndex].value = UnsafeMutablePointer(mutating: path.baseAddress)
        unsafe pairs[pathIndex].valuelen = path.count
        var count = fixedPairs
        for field in own {
            unsafe pairs[count] = try writer.pair(for: field, isIndexed: false)
            count += 1
        }
        if !request.body.isEmpty || Self.expectsBody(method) {
            unsafe pairs[count] = writer.pair(
                name: writer.raw("content-length"), value: writer.decimal(request.body.count))
            count += 1
        }
        return unsafe UnsafeBufferPointer(rebasing: pairs[..<count])
    }

    /// Methods whose requests say that they have no body, if so (RFC 9110 section 8.6).
    private static func expectsBody(_ method: String) -> Bool {
        method == "POST" || method == "PUT" || method == "PATCH"
    }

    private func reserve(bytes: Int, pairs pairCount: Int) {
        if unsafe ownText.count < bytes {
            unsafe ownText.deallocate()
            unsafe ownText = .allocate(capacity: bytes + 256)
        }
        if unsafe pairs.count < pairCount {
            let larger = UnsafeMutableBufferPointer<nghttp2_nv>.allocate(capacity: pairCount + 16)
            unsafe larger.initialize(repeating: nghttp2_nv())
            for index in 0..<fixedPairs { unsafe larger[index] = unsafe pairs[index] }
            unsafe pairs.deallocate()
            unsafe pairs = unsafe larger
        }
    }
}

/// Writes names and values one after the other into memory that is known to suffice.
@unsafe private struct FieldWriter {
    private let target: UnsafeMutableBufferPointer<UInt8>
    private var position = 0

    init(_ target: UnsafeMutableBufferPointer<UInt8>) { unsafe self.target = unsafe target }

    mutating func raw(_ text: String) -> UnsafeBufferPointer<UInt8> {
        let start = unsafe position
        for byte in text.utf8 {
            unsafe target[position] = byte
            unsafe position += 1
        }
        return unsafe UnsafeBufferPointer(rebasing: target[start..<position])
    }

    mutating func decimal(_ number: Int) -> UnsafeBufferPointer<UInt8> {
        let start = unsafe position
        var rest = number
        repeat {
            unsafe target[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            unsafe position += 1
            rest /= 10
        } while rest > 0
        unsafe target[start..<position].reverse()
        return unsafe UnsafeBufferPointer(rebasing: target[start..<position])
    }

    func pair(
        name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>, isIndexed: Bool = true
    ) -> nghttp2_nv {
        let noCopy = NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue | NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue
        let flags = isIndexed ? noCopy : noCopy | NGHTTP2_NV_FLAG_NO_INDEX.rawValue
        return unsafe nghttp2_nv(
            name: UnsafeMutablePointer(mutating: name.baseAddress),
            value: UnsafeMutablePointer(mutating: value.baseAddress), namelen: name.count, valuelen: value.count,
            flags: UInt8(truncatingIfNeeded: flags))
    }

    /// Names become lower case, and blanks around values fall away: they are no part of them (RFC 9110 section 5.5).
    mutating func pair(for field: HTTPHeader, isIndexed: Bool) throws(InvalidHeader) -> nghttp2_nv {
        let nameStart = unsafe position
        for byte in field.name.utf8 {
            guard byte.isHeaderName else { throw InvalidHeader(name: field.name) }
            let isUpper = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
            unsafe target[position] = isUpper ? byte | 0x20 : byte
            unsafe position += 1
        }
        let name = unsafe UnsafeBufferPointer(rebasing: target[nameStart..<position])
        guard !name.isEmpty, unsafe !Self.isReserved(name) else { throw InvalidHeader(name: field.name) }
        var start = unsafe position
        for byte in field.value.utf8 {
            guard byte.isHeaderValue else { throw InvalidHeader(name: field.name) }
            unsafe target[position] = byte
            unsafe position += 1
        }
        var end = unsafe position
        while start < end, unsafe target[start].isBlank { start += 1 }
        while end > start, unsafe target[end - 1].isBlank { end -= 1 }
        return unsafe pair(
            name: name, value: UnsafeBufferPointer(rebasing: target[start..<end]), isIndexed: isIndexed)
    }

    /// Fields of HTTP/1 connections, which make a request malformed (RFC 9113 section 8.2.2), and those that the client
    /// writes itself.
    private static let reserved: [StaticString] = [
        "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade", "host", "content-length",
    ]

    private static func isReserved(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        for word in unsafe reserved where word.utf8CodeUnitCount == name.count {
            if unsafe UnsafeBufferPointer(start: word.utf8Start, count: name.count).elementsEqual(name) { return true }
        }
        return false
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
}
