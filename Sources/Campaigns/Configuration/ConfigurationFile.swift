internal import YAML

/// What reading a configuration file gave.
package struct ConfigurationFile: Sendable {
    package var path: String
    /// Nil when there was an error.
    package var configuration: Configuration?
    package var diagnostics: [Diagnostic]

    /// Reads a file that must be there; without one, `Configuration()` holds.
    package static func read(_ path: String) -> ConfigurationFile {
        do {
            return ConfigurationFile(
                path: path, bytes: try FileReading.bytes(of: path, limit: YAMLLimits.standard.bytes))
        } catch {
            let place = Diagnostic.Place(file: path)
            return ConfigurationFile(
                path: path, configuration: nil,
                diagnostics: [
                    Diagnostic(.error, .unreadableFile, "the file cannot be read: \(error.reason)", at: place)
                ])
        }
    }

    private init(path: String, configuration: Configuration?, diagnostics: [Diagnostic]) {
        self.path = path
        self.configuration = configuration
        self.diagnostics = diagnostics
    }

    /// Checks the bytes of a configuration file.
    package init(path: String, bytes: [UInt8]) {
        do {
            let document = try YAMLDocument(parsing: bytes, file: path)
            var decoder = ConfigurationDecoder(document.source)
            let configuration = decoder.configuration(document.root)
            self.init(
                path: path, configuration: configuration, diagnostics: Self.hidingSecrets(decoder.reader.finished()))
        } catch {
            self.init(path: path, configuration: nil, diagnostics: [Diagnostic(error)])
        }
    }

    /// Of a line that holds a secret nothing is shown, whatever else is wrong with it.
    private static func hidingSecrets(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        let lines = Set(diagnostics.lazy.filter { $0.code == .literalSecret }.map(\.place.line))
        return diagnostics.map { diagnostic in
            var diagnostic = diagnostic
            if lines.contains(diagnostic.place.line) { diagnostic.place = diagnostic.place.withoutExcerpt }
            return diagnostic
        }
    }
}
