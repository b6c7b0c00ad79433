internal import JSON
internal import Synchronization
internal import YAML

/// The data files of a campaign directory. Each is read once, however many campaigns name it.
final class DataFiles: Sendable {
    enum Failure: Error {
        /// The path cannot be used; the reason is said at the path.
        case path(String)
        /// The file was read and is broken; the diagnostic has its place in it.
        case content(Diagnostic)
    }

    /// The largest data file, in bytes.
    static let sizeLimit = 4 << 20

    private static let limits = YAMLLimits(bytes: sizeLimit, depth: 64, aliasedNodes: 100_000)

    /// The folder of the campaigns as files are named by, which no path may lead out of.
    private let root: String
    private let rootComponents: [Substring]
    /// The folder that is really read, which stays the same when a link is switched over.
    private let resolvedRoot: String
    private let cache = Mutex<[String: Result<JSON, Failure>]>([:])
    private let knownCalendars = Mutex<SharedCalendars?>(nil)

    init(root: String, resolved: String? = nil) {
        self.root = root
        rootComponents = Self.components(root)
        resolvedRoot = FileReading.realPath(of: resolved ?? root) ?? resolved ?? root
    }

    /// The calendars that `except` may name; their files are read when this is asked for the first time.
    var calendars: SharedCalendars {
        knownCalendars.withLock { known in
            if let known { return known }
            let read =
                resolvedRoot.isEmpty
                ? SharedCalendars()
                : SharedCalendars(
                    folder: resolvedRoot + "/" + SharedCalendars.folderName,
                    named: root + "/" + SharedCalendars.folderName)
            known = read
            return read
        }
    }

    /// Reads the file at a path relative to the folder of the campaign file.
    func read(_ path: String, from campaignFile: String) -> Result<JSON, Failure> {
        guard !path.hasPrefix("/") else {
            return .failure(.path("a data file's path is relative to the campaign's file"))
        }
        guard path.hasSuffix(".json") || path.hasSuffix(".yaml") || path.hasSuffix(".yml") else {
            return .failure(.path("a data file is JSON or YAML, and its name ends with .json, .yaml or .yml"))
        }
        let folder = campaignFile.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
            separator: "/")
        let full = folder.isEmpty ? path : folder + "/" + path
        let components = Self.components(full)
        let inside = components.dropFirst(rootComponents.count)
        guard components.starts(with: rootComponents), !inside.isEmpty, !inside.contains("..") else {
            return .failure(.path("a data file lies within the folder of the campaigns, which is \(root)"))
        }
        let relative = inside.joined(separator: "/")
        let campaignFolder = Self.components(folder).dropFirst(rootComponents.count).joined(separator: "/")
        guard staysInside(relative, of: campaignFolder) else {
            return .failure(.path("a data file lies within the folder of the campaigns, and this link leads out of it"))
        }
        if let known = cache.withLock({ $0[relative] }) { return known }
        let result = load(resolvedRoot + "/" + relative, named: root + "/" + relative)
        cache.withLock { $0[relative] = result }
        return result
    }

    /// Whether a file really lies in the folder of the campaigns, or in that of its campaign where a folder is linked in.
    /// Otherwise a link in a pull request could show the reviewer's own files.
    private func staysInside(_ relative: String, of campaignFolder: String) -> Bool {
        guard let real = FileReading.realPath(of: resolvedRoot + "/" + relative) else { return true }
        let folders = [resolvedRoot, FileReading.realPath(of: resolvedRoot + "/" + campaignFolder) ?? resolvedRoot]
        return folders.contains { real.hasPrefix($0 + "/") }
    }

    private func load(_ path: String, named name: String) -> Result<JSON, Failure> {
        let bytes: [UInt8]
        do {
            bytes = try FileReading.bytes(of: path, limit: Self.sizeLimit)
        } catch {
            return .failure(.path("the data file \(name) cannot be read: \(error.reason)"))
        }
        guard bytes.count <= Self.sizeLimit else {
            return .failure(.path("the data file \(name) is larger than \(Self.sizeLimit) bytes"))
        }
        return path.hasSuffix(".json") ? json(bytes, name) : yaml(bytes, name)
    }

    private func json(_ bytes: [UInt8], _ path: String) -> Result<JSON, Failure> {
        do {
            return .success(try JSON(parsing: bytes))
        } catch {
            let source = SourceText(file: path, bytes: bytes)
            let range = SourceRange(start: error.offset, end: min(error.offset + 1, bytes.count))
            return .failure(
                .content(
                    Diagnostic(.error, .invalidDataSource, "not JSON: \(error.message)", at: .init(range, in: source))))
        }
    }

    private func yaml(_ bytes: [UInt8], _ path: String) -> Result<JSON, Failure> {
        do {
            return .success(JSON(try YAMLDocument(parsing: bytes, file: path, limits: Self.limits).root))
        } catch {
            return .failure(.content(Diagnostic(error)))
        }
    }

    /// The parts of a path, with `.` left out and `..` undone where there is something before it.
    private static func components(_ path: String) -> [Substring] {
        var parts = [Substring]()
        if path.hasPrefix("/") { parts.append("/") }
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != "..", last != "/" {
                parts.removeLast()
            } else {
                parts.append(part)
            }
        }
        return parts
    }
}

extension JSON {
    /// What a YAML value is in JSON. Numbers that JSON does not have stay text.
    init(_ node: YAMLNode) {
        switch node.content {
        case .scalar(let scalar):
            switch scalar.value {
            case .null: self = .null
            case .bool(let value): self = .bool(value)
            case .int(let number): self = .int(number)
            case .double(let number) where number.isFinite: self = .double(number)
            case .double, .string: self = .string(scalar.text)
            }
        case .sequence(let items): self = .array(items.map { JSON($0) })
        case .mapping(let mapping):
            self = .object(JSONObject(mapping.entries.lazy.map { ($0.key, JSON($0.value)) }))
        }
    }
}
