internal import FoundationEssentials
internal import Glibc

/// Finds the campaign files of a folder.
struct DirectoryScan {
    /// Folders this deep are more than anybody sorts campaigns into.
    private static let depthLimit = 16

    /// Sorted by path.
    private(set) var files: [String] = []
    /// Folders that could not be listed, and why.
    private(set) var unreadable: [(path: String, reason: String)] = []
    private var visited: Set<FileIdentity> = []

    private struct FileIdentity: Hashable {
        var device: UInt
        var inode: UInt
    }

    private enum Kind {
        case file, folder(FileIdentity), other
    }

    /// Lists `*.yaml` and `*.yml` in `root` and its folders, other than `tests` and those whose names begin with `_` or `.`.
    ///
    /// Links to folders are followed; a folder that is reached twice is read once.
    init(root: String) {
        scan(root, depth: 0)
        files.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private mutating func scan(_ folder: String, depth: Int) {
        guard case .folder(let identity) = Self.kind(of: folder), visited.insert(identity).inserted else { return }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            unreadable.append((folder, "the folder cannot be listed"))
            return
        }
        // Sorted, so that of two ways to one folder the same one is taken each time.
        for name in names.sorted() where !name.hasPrefix(".") {
            let path = folder == "/" ? "/" + name : folder + "/" + name
            let isCampaign = name.hasSuffix(".yaml") || name.hasSuffix(".yml")
            switch Self.kind(of: path) {
            case .folder where name.hasPrefix("_") || name == "tests": continue
            case .folder where depth >= Self.depthLimit:
                unreadable.append((path, "folders stand more than \(Self.depthLimit) deep here"))
            case .folder: scan(path, depth: depth + 1)
            // What is no regular file is kept too, so that reading it says so.
            case .file, .other: if isCampaign { files.append(path) }
            }
        }
    }

    private static func kind(of path: String) -> Kind {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return .other }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .folder(FileIdentity(device: UInt(status.st_dev), inode: UInt(status.st_ino)))
        case S_IFREG: return .file
        default: return .other
        }
    }
}
