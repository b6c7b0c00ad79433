/// The bytes that a connection has produced and not yet written.
@safe struct HTTP2Output: ~Copyable {
    private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 40_960, alignment: 16)
    private var start = 0
    private var end = 0
    /// Bytes produced since the connection stands.
    private(set) var produced: Int64 = 0
    /// Of these, the bytes that were offered to be written. How many of an offer went out in the end is beyond knowing.
    private(set) var handed: Int64 = 0

    deinit { unsafe buffer.deallocate() }

    var pending: Int { end - start }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count)
        unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[end..<end + bytes.count]).copyMemory(from: bytes)
        end += bytes.count
        produced += Int64(bytes.count)
    }

    mutating func handOver(atMost limit: Int, _ write: (UnsafeRawBufferPointer) -> Int) {
        let count = min(limit, pending)
        handed = max(handed, produced - Int64(pending - count))
        let written = unsafe write(UnsafeRawBufferPointer(rebasing: buffer[start..<start + count]))
        start += min(max(0, written), count)
        if start == end {
            start = 0
            end = 0
        }
    }

    private mutating func reserve(_ count: Int) {
        if unsafe end + count <= buffer.count { return }
        let rest = pending
        let size = unsafe max(buffer.count, (rest + count) * 2)
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[start..<end]))
        unsafe buffer.deallocate()
        unsafe buffer = unsafe larger
        start = 0
        end = rest
    }
}
