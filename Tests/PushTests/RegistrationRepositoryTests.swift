import Push
import PushTestSupport
import Testing

struct RegistrationRepositoryTests {
    @Test(arguments: RegistrationRepositoryCase.all)
    func `the repository in memory keeps the rules`(_ rule: RegistrationRepositoryCase) async throws {
        try await rule.check(InMemoryRegistrationRepository())
    }
}
