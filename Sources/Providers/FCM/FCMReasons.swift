/// The error codes of FCM.
package enum FCMReasons {
    package static let all: [ProviderReason] = []
    package static let table: [String: ProviderReason] = [:]
}
