import FoundationEssentials
import PushTestSupport
import Testing

@testable import Push

struct MessageIDsTests {
    private func registration(_ id: Int64, token: String = "t") -> Registration {
        var registration = Registration.test(token)
        registration.id = RegistrationID(rawValue: id)
        return registration
    }

    @Test func `an id is a lower-case UUID of version 8`() throws {
        var ids = MessageIDs(batchID: "batch")
        for number in Int64(1)...1_000 {
            let id = ids.id(for: registration(number))
            #expect(UUID(uuidString: id)?.uuidString.lowercased() == id)
            let characters = Array(id)
            #expect(characters[14] == "8" && "89ab".contains(characters[19]))
        }
    }

    @Test func `the same message has the same id in every program that ever sends it`() {
        var ids = MessageIDs(batchID: "0b6ff2c1-38a4-4df3-9d1f-6a5f1a0c7f11")
        #expect(ids.id(for: registration(42)) == "b2deab86-4db6-818b-8eff-bf9a0fd1c32d")
    }

    @Test func `ids differ between registrations, between batches and between unsaved tokens`() {
        var seen: Set<String> = []
        for batch in 0..<20 {
            var ids = MessageIDs(batchID: "batch \(batch)")
            for number in Int64(1)...5_000 { seen.insert(ids.id(for: registration(number))) }
            for number in 0..<1_000 { seen.insert(ids.id(for: registration(0, token: "token \(number)"))) }
        }
        #expect(seen.count == 20 * 6_000)
    }

    @Test(arguments: [("", "***"), ("12345678", "***"), ("123456789", "1234…6789"), ("äöüßäöüß", "***")])
    func `a logged token shows its ends at most`(_ token: String, _ masked: String) {
        #expect(MaskedToken(token).description == masked)
    }
}
