internal import Glibc

/// Why a campaign directory cannot be read at all. It never means that there are no campaigns.
package struct CampaignDirectoryError: Error, Sendable, Hashable, CustomStringConvertible {
    package var path: String
    package var reason: String

    package init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    package var description: String { "The campaign directory \(path) cannot be read: \(reason)." }
}

/// All campaigns of a directory and everything that is wrong with its files, in the order of the paths.
package struct CampaignDirectory: Sendable {
    package let path: String
    /// Every campaign file that was found.
    package let files: [CampaignFile]
    /// What concerns no campaign's file: folders that could not be listed, and the files of shared calendars.
    package let folderDiagnostics: [Diagnostic]

    /// The campaigns of all files without errors, ordered by path. Their ids differ.
    package var campaigns: [Campaign] { files.compactMap(\.campaign) }

    package var diagnostics: [Diagnostic] { folderDiagnostics + files.flatMap(\.diagnostics) }

    /// Reads a directory. A file that is broken keeps nobody else from being read.
    package static func load(
        _ path: String, settings: CampaignSettings = CampaignSettings()
    ) throws(CampaignDirectoryError) -> CampaignDirectory {
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        // Where the path is a link that is switched over while we read, everything still comes from one tree.
        let resolved = try resolve(path)
        let scan = DirectoryScan(root: resolved)
        let dataFiles = DataFiles(root: path, resolved: resolved)
        func named(_ found: String) -> String { path + found.dropFirst(resolved.count) }
        var files = scan.files.map { read($0, named: named($0), settings: settings, dataFiles: dataFiles) }
        refuseDuplicates(in: &files)
        return CampaignDirectory(
            path: path, files: files,
            folderDiagnostics: scan.unreadable.map {
                Diagnostic(.error, .unreadableFile, $0.reason, at: .init(file: named($0.path)))
            } + dataFiles.calendars.diagnostics)
    }

    private static func read(
        _ found: String, named path: String, settings: CampaignSettings, dataFiles: DataFiles
    ) -> CampaignFile {
        do {
            let bytes = try FileReading.bytes(of: found, limit: CampaignFile.sizeLimit)
            return CampaignFile(path: path, bytes: bytes, settings: settings, dataFiles: dataFiles)
        } catch {
            return CampaignFile(path: path, unreadable: error.reason)
        }
    }

    private static func resolve(_ path: String) throws(CampaignDirectoryError) -> String {
        guard let resolved = unsafe realpath(path, nil) else {
            let reason = errno == ENOENT ? "there is no such folder" : "it cannot be reached"
            throw CampaignDirectoryError(path: path, reason: reason)
        }
        defer { unsafe free(resolved) }
        var status = stat()
        guard unsafe stat(resolved, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw CampaignDirectoryError(path: path, reason: "it is not a folder")
        }
        guard unsafe access(resolved, R_OK | X_OK) == 0 else {
            throw CampaignDirectoryError(path: path, reason: "permission denied")
        }
        return unsafe String(cString: resolved)
    }

    /// None of the files that claim one id is used: nobody can tell which of them is meant.
    private static func refuseDuplicates(in files: inout [CampaignFile]) {
        var first = [String: Int]()
        for index in files.indices {
            guard let id = files[index].id else { continue }
            guard let other = first[id] else {
                first[id] = index
                continue
            }
            files[index].diagnostics.append(
                Diagnostic(
                    .error, .duplicateCampaign,
                    "the campaign \"\(id)\" is also in \(files[other].path); one of them needs another id",
                    at: files[index].idPlace, note: .init(message: "the other one is here", place: files[other].idPlace)
                ))
            files[index].campaign = nil
            files[other].campaign = nil
        }
    }
}
