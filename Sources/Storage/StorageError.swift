/// The store could not do what was asked.
package struct StorageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, by what a person can do about it.
    package enum Problem: Sendable, Hashable {
        /// Another connection kept the store locked for longer than the time we wait.
        case busy
        case diskFull
        case readOnly
        case cannotOpen
        case corrupt
        case notADatabase
        /// The store was written by a newer version of the program.
        case newerSchema(found: Int64, supported: Int64)
        /// The file is a database, but of another program.
        case foreignDatabase
        case inputOutput
        case outOfMemory
        case unknownRun(RunID)
        case closed
        /// Anything else; `detail` has the words of the database.
        case other
    }

    package var problem: Problem
    /// What was being done, as in "save registrations".
    package var action: String
    /// The file or address of the store.
    package var location: String
    /// The extended result code of SQLite, or 0 when the failure is not SQLite's.
    package var code: Int32
    /// The database's own words.
    package var detail: String

    package init(_ problem: Problem, action: String, location: String, code: Int32 = 0, detail: String = "") {
        self.problem = problem
        self.action = action
        self.location = location
        self.code = code
        self.detail = detail
    }

    package var description: String {
        var text = "Cannot \(action) in \(location): \(explanation)"
        if code != 0 { text += " (SQLite \(code): \(detail))" }
        return text
    }

    private var explanation: String {
        switch problem {
        case .busy:
            "another process keeps the store locked. Wait until it has finished, or stop it, and try again."
        case .diskFull:
            "the disk is full. Free some space and try again; nothing of this step was written."
        case .readOnly:
            "the store cannot be written to. Give this user write access to the file and to its folder."
        case .cannotOpen:
            "the file cannot be opened or created. Check that the folder exists and that this user may write to it."
        case .corrupt:
            "the file is damaged. Stop every process that uses it, keep a copy, and restore it from a backup."
        case .notADatabase:
            "the file is not an SQLite database. Check the path of the store."
        case .newerSchema(let found, let supported):
            "the store has schema version \(found), and this program knows versions up to \(supported). Use the newer program."
        case .foreignDatabase:
            "the file is an SQLite database of another program. Check the path of the store."
        case .inputOutput:
            "reading or writing the file failed. Check the disk and the system's log."
        case .outOfMemory:
            "there is not enough memory."
        case .unknownRun(let run):
            "there is no run \(run.rawValue)."
        case .closed:
            "the store was closed."
        case .other:
            code == 0 ? detail : "the database refused it."
        }
    }
}
