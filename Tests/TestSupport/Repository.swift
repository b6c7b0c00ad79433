import Foundation

/// Where the package lies, so that tests find fixtures, schemas, servers and the Python environment.
package enum Repository {
    /// The folder that holds Package.swift, without a slash at its end.
    package static let root: String = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// The path of a file in the package.
    package static func path(_ relative: String) -> String { root + "/" + relative }

    /// The Python that `scripts/install` set up with Tests/requirements.txt.
    package static var python: String { path(".venv/bin/python3") }
}
