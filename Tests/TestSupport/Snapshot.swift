import Foundation

/// Texts that a test compares with a file under Tests/Snapshots, so that a change of output is seen in review.
///
/// With `UPDATE_SNAPSHOTS=1` in the environment the files are written anew instead.
package enum Snapshot {
    /// What the file holds, after an update where one was asked for; an empty text when there is no such file.
    package static func expected(_ name: String, for actual: String) throws -> String {
        let path = Repository.path("Tests/Snapshots/\(name)")
        if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try Data(actual.utf8).write(to: URL(fileURLWithPath: path))
        }
        guard let data = FileManager.default.contents(atPath: path) else { return "" }
        return String(decoding: data, as: UTF8.self)
    }
}
