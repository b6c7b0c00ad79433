internal import Glibc

/// A string that is compared byte for byte, as the store compares, and not by canonical equivalence as `String` does:
/// "é" in one scalar and in two are different tags.
struct ExactText: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: ExactText, right: ExactText) -> Bool {
        let isSame = unsafe left.text.utf8.withContiguousStorageIfAvailable { left in
            unsafe right.text.utf8.withContiguousStorageIfAvailable { right in
                guard left.count == right.count else { return false }
                guard let left = left.baseAddress, let start = right.baseAddress else { return true }
                return unsafe memcmp(left, start, right.count) == 0
            }
        }
        return (isSame ?? nil) ?? left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        let combined: Void? = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
            unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        }
        if combined == nil { for byte in text.utf8 { hasher.combine(byte) } }
    }
}

extension [String] {
    /// Without the later ones of equal strings, in the same order.
    func withoutDuplicates() -> [String] {
        // Lists of a device are short, and for those comparing all pairs costs less than hashing.
        if count <= 8 {
            let isUnique = indices.allSatisfy { index in
                !self[..<index].contains { ExactText($0) == ExactText(self[index]) }
            }
            if isUnique { return self }
        }
        var seen = Set<ExactText>()
        return filter { seen.insert(ExactText($0)).inserted }
    }
}
