internal import YAML

extension Campaign {
    /// Whether both were read from the same text, whatever else their data files held.
    package func hasSameText(as other: Campaign) -> Bool { source.bytes == other.source.bytes }
}
