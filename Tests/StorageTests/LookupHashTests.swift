import Testing

@testable import Storage

@Suite struct LookupHashTests {
    /// The reference vectors of SipHash-2-4: key 00…0f, input 00, 01, 02… of each length (vectors.h of its authors).
    @Test(
        arguments: [
            (0, 0x726F_DB47_DD0E_0E31), (1, 0x74F8_39C5_93DC_67FD), (7, 0xAB02_00F5_8B01_D137),
            (8, 0x93F5_F579_9A93_2462), (15, 0xA129_CA61_49BE_45E5),
        ] as [(Int, UInt64)])
    func `the hash is SipHash-2-4`(_ length: Int, _ expected: UInt64) {
        let hash = LookupHash(key0: 0x0706_0504_0302_0100, key1: 0x0F0E_0D0C_0B0A_0908)
        let text = String(decoding: (0..<length).map { UInt8($0) }, as: UTF8.self)
        #expect(hash(text) == Int64(bitPattern: expected))
    }

    @Test func `each store has a key of its own`() throws {
        let folder = try TemporaryFolder()
        let keys = try ["a", "b"].map { name in
            let connection = try Connection(path: folder.file(name))
            try Schema.migrate(connection)
            return try LookupHash(of: connection)
        }
        #expect(keys[0] != keys[1])
    }
}
