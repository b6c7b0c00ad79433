import Crypto
import Testing

@Suite struct Base64URLTests {
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
        ("{\"typ\":\"JWT\",\r\n \"alg\":\"HS256\"}", "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9"),
    ])
    func `the vectors of RFC 4648 section 10 and RFC 7515 section A.1 hold both ways`(plain: String, encoded: String) {
        #expect(Base64URL.encode(Array(plain.utf8)) == encoded)
        #expect(Base64URL.decode(encoded) == Array(plain.utf8))
    }

    @Test func `the vector of RFC 7515 appendix C holds`() {
        #expect(Base64URL.encode([3, 236, 255, 224, 193]) == "A-z_4ME")
    }

    @Test(arguments: ["A-z_4ME", "A+z/4ME", "A-z_4ME=", "A+z/4ME="])
    func `both alphabets are read, padded or not`(text: String) {
        #expect(Base64URL.decode(text) == [3, 236, 255, 224, 193])
    }

    @Test(arguments: ["A", "AAAAA", "AB=C", "A===", "AA=", "AAA==", "====", "=", "A A=", "Zg\n", "Zh", "Zm9", "é"])
    func `what no encoder writes is refused`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func `every length survives the round trip`() {
        for length in 0..<70 {
            let bytes = SecureRandom.bytes(length)
            #expect(bytes.count == length)
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
    }
}

@Suite struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `the vectors of FIPS 180-4 hold`(text: String, expected: String) {
        let digest = SHA256.digest(of: text)
        let hexadecimal = digest.map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }
        #expect(hexadecimal.joined() == expected)
    }
}

@Suite struct UUIDStringTests {
    private func hasLayout(_ text: String, version: Character) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        let digits = "0123456789abcdef"
        return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.joined().allSatisfy(digits.contains)
            && groups[2].first == version && "89ab".contains(groups[3].first ?? " ")
    }

    @Test func `a random UUID is version 4 and never the same`() {
        let texts = (0..<1_000).map { _ in UUIDString.random() }
        #expect(Set(texts).count == 1_000)
        #expect(texts.allSatisfy { hasLayout($0, version: "4") })
    }

    @Test func `a name has one UUID of version 8, made of the first bits of its SHA-256`() {
        // The digest of “abc” begins ba7816bf 8f01cfea 414140de 5dae2223; version and variant replace six bits.
        #expect(UUIDString.derived(from: "abc") == "ba7816bf-8f01-8fea-8141-40de5dae2223")
        #expect(UUIDString.derived(from: "abd") != UUIDString.derived(from: "abc"))
    }
}

@Suite struct SecureRandomTests {
    @Test func `two draws differ and every byte value turns up`() {
        #expect(SecureRandom.bytes(32) != SecureRandom.bytes(32))
        #expect(Set(SecureRandom.bytes(65_536)).count == 256)
    }
}
