internal import CSQLite

/// The owner of one open `sqlite3`. It is closed when the connection and the last of its statements are gone.
@safe
final class DatabaseHandle {
    let pointer: OpaquePointer
    let path: String

    /// Opens the file, and creates it where there is none.
    init(path: String) throws(StorageError) {
        var opened: OpaquePointer?
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let pointer = unsafe opened else {
            // SQLite makes a handle even when it cannot open the file, to carry the message.
            let detail = unsafe opened.map { unsafe String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            unsafe sqlite3_close_v2(opened)
            throw StorageError(sqliteCode: code, detail: detail, location: path)
        }
        unsafe self.pointer = pointer
        self.path = path
    }

    deinit { unsafe sqlite3_close_v2(pointer) }

    /// The error that describes the last call's failure.
    func failure(_ code: Int32) -> StorageError {
        StorageError(sqliteCode: code, detail: unsafe String(cString: sqlite3_errmsg(pointer)), location: path)
    }
}

extension StorageError {
    /// Sorts a result code of SQLite (https://www.sqlite.org/rescode.html) by what can be done about it.
    init(sqliteCode code: Int32, detail: String, location: String) {
        let problem: Problem =
            switch code & 0xFF {
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_FULL: .diskFull
            case SQLITE_READONLY, SQLITE_PERM: .readOnly
            case SQLITE_CANTOPEN: .cannotOpen
            case SQLITE_CORRUPT: .corrupt
            case SQLITE_NOTADB: .notADatabase
            case SQLITE_IOERR: .inputOutput
            case SQLITE_NOMEM: .outOfMemory
            default: .other
            }
        self.init(problem, action: "use the store", location: location, code: code, detail: detail)
    }

    /// The same error, saying what was being done.
    func during(_ action: String) -> StorageError {
        var error = self
        error.action = action
        return error
    }
}
