package import FoundationEssentials
package import Push

/// One rule that every `RegistrationRepository` keeps, with the check that it does.
///
/// A test of a repository runs each case on a new, empty repository:
/// `@Test(arguments: RegistrationRepositoryCase.all) func …(_ rule: RegistrationRepositoryCase) async throws {
/// try await rule.check(makeRepository()) }`.
package struct RegistrationRepositoryCase: Sendable, CustomStringConvertible {
    package let description: String
    package let check: @Sendable (any RegistrationRepository) async throws -> Void

    package init(_ description: String, _ check: @escaping @Sendable (any RegistrationRepository) async throws -> Void)
    {
        self.description = description
        self.check = check
    }

    package static let all: [RegistrationRepositoryCase] = identity + targeting + paging + topics + tokenChanges
}

/// A repository broke a rule.
package struct ConformanceViolation: Error, CustomStringConvertible {
    package var description: String
}

/// Fails the check unless both are equal.
func expect<Value: Equatable>(_ actual: Value, equals expected: Value, _ what: String) throws {
    guard actual == expected else {
        throw ConformanceViolation(description: "\(what): expected \(expected), found \(actual)")
    }
}

extension RegistrationRepository {
    /// All registrations of a filter, read with pages of two.
    func all(_ filter: PushFilter = .everyone) async throws -> [Registration] {
        var rows: [Registration] = []
        while true {
            let page = try await page(of: filter, after: rows.last?.id ?? .unsaved, limit: 2)
            rows += page
            if page.count < 2 { return rows }
        }
    }
}

extension Date {
    /// A fixed instant plus some seconds.
    package static func test(_ seconds: Double = 0) -> Date { Date(timeIntervalSince1970: 1_800_000_000 + seconds) }
}

extension Registration {
    /// A device for tests; what is not given is as plain as possible.
    package static func test(
        _ token: String, platform: Platform = .iOS, kind: TokenKind = .device, app: String? = nil,
        environment: PushEnvironment = .production, device: String? = nil, user: String? = nil, tags: [String] = [],
        topics: [String] = [], locale: String? = nil, registeredAt: Date = .test()
    ) -> Registration {
        Registration(
            token: token, platform: platform, tokenKind: kind, appID: app, environment: environment, deviceID: device,
            userID: user, tags: tags, topics: topics, locale: locale, registeredAt: registeredAt)
    }
}
