import FoundationEssentials
import Glibc

/// What a folder's files look like from outside, to find out whether anything changed without reading them.
///
/// The time of a file's last change of state (`ctime`) cannot be set by programs, so that a file which is replaced or
/// rewritten with its size and modification time kept is noticed too. The path is resolved each time: a link that is
/// switched to another folder is another tree.
struct TreeSignature: Sendable, Hashable {
    private var files: [File] = []

    private struct File: Sendable, Hashable {
        var path: String
        var device: UInt
        var inode: UInt
        var size: Int
        var changed: Int
        var changedNanoseconds: Int
    }

    /// Folders this deep hold no campaigns.
    private static let depthLimit = 16

    init(of path: String) throws(TreeProblem) {
        guard let resolved = unsafe realpath(path, nil) else {
            throw TreeProblem(description: "The folder \(path) of the campaigns is not there.")
        }
        defer { unsafe free(resolved) }
        try scan(unsafe String(cString: resolved), depth: 0)
    }

    var isEmpty: Bool { files.isEmpty }

    private mutating func scan(_ folder: String, depth: Int) throws(TreeProblem) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw TreeProblem(description: "The folder \(folder) cannot be listed.")
        }
        for name in names.sorted() where !name.hasPrefix(".") {
            let path = folder + "/" + name
            var status = stat()
            // A link that leads nowhere, or a file that went since, is a part of what the tree looks like.
            guard unsafe stat(path, &status) == 0 else {
                files.append(File(path: path, device: 0, inode: 0, size: -1, changed: 0, changedNanoseconds: 0))
                continue
            }
            if status.st_mode & S_IFMT == S_IFDIR {
                if depth < Self.depthLimit { try scan(path, depth: depth + 1) }
                continue
            }
            files.append(
                File(
                    path: path, device: UInt(status.st_dev), inode: UInt(status.st_ino), size: Int(status.st_size),
                    changed: status.st_ctim.tv_sec, changedNanoseconds: status.st_ctim.tv_nsec))
        }
    }
}

/// Why a folder of campaigns cannot be taken as it is.
struct TreeProblem: Error, Sendable, Hashable, CustomStringConvertible {
    let description: String
}
