/// One step of a campaign's interceptor chain, as the file declares it.
package struct InterceptorDeclaration: Sendable {
    package enum Kind: Sendable {
        /// Leaves out devices that have any of these tags.
        case skipTagged([String])
        /// Lays the fields of the device's language over the notification.
        case localize
        /// Lays these fields over the notification.
        case set(NotificationFields)

        /// The word that the file uses.
        package var name: String {
            switch self {
            case .skipTagged: "skip_tagged"
            case .localize: "localize"
            case .set: "set"
            }
        }
    }

    package var kind: Kind
    /// Where it stands in the file.
    package var place: Diagnostic.Place

    package init(_ kind: Kind, place: Diagnostic.Place) {
        self.kind = kind
        self.place = place
    }
}
