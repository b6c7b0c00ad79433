package enum SecureRandom {
    /// Bytes that nobody can foresee, for keys, salts and tokens.
    ///
    /// They come from the system's generator, which on Linux is getrandom(2) and has no error to report.
    package static func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        var bytes = [UInt8]()
        bytes.reserveCapacity(count + 7)
        while bytes.count < count {
            var word: UInt64 = generator.next()
            for _ in 0..<8 {
                bytes.append(UInt8(truncatingIfNeeded: word))
                word >>= 8
            }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}
