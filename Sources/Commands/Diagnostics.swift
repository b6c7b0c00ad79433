import Campaigns

extension Invocation {
    /// Shows problems on the standard error.
    func show(_ diagnostics: [Diagnostic]) throws(OutputFailure) {
        for diagnostic in diagnostics { try environment.errors.write(colored(diagnostic)) }
    }

    private func colored(_ diagnostic: Diagnostic) -> String {
        guard errorStyle.isColored else { return diagnostic.text }
        let word = "\(diagnostic.severity.rawValue):"
        let color = diagnostic.severity == .error ? errorStyle.red : errorStyle.yellow
        let lines = diagnostic.text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = lines.first, let range = first.firstRange(of: word) else { return diagnostic.text }
        let heading = errorStyle.bold(String(first[..<range.lowerBound])) + color(word) + first[range.upperBound...]
        return heading + "\n" + (lines.count > 1 ? String(lines[1]) : "")
    }
}

/// Files are so wrong that the verb cannot do its work. The problems have been shown.
struct FilesAreWrong: Error, CustomStringConvertible {
    var errors: Int
    /// `carillon.yaml`, or `the campaigns`.
    var place: String

    var description: String { "\(counted(errors, "error")) in \(place); 'carillon validate' checks everything." }
}
