package import JSON

/// A value that a campaign's templates may use beside the device, under the source's name.
package struct DataSource: Sendable {
    package enum Kind: Sendable {
        /// A JSON or YAML file; the path is relative to the campaign's folder.
        case file(path: String)
    }

    package var name: String
    package var kind: Kind
    /// What the file held when the campaign was read.
    package var value: JSON

    package init(name: String, kind: Kind, value: JSON) {
        self.name = name
        self.kind = kind
        self.value = value
    }
}
