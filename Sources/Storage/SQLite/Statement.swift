internal import CSQLite

/// One prepared statement. Parameters and columns are counted as SQLite counts them: parameters from 1, columns from 0.
@safe
final class Statement {
    private let pointer: OpaquePointer
    private let database: DatabaseHandle

    init(_ sql: String, on database: DatabaseHandle) throws(StorageError) {
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            database.pointer, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK else { throw database.failure(code) }
        guard let pointer = unsafe prepared else {
            throw StorageError(.other, action: "prepare", location: database.path, detail: "an empty statement")
        }
        unsafe self.pointer = pointer
        self.database = database
    }

    deinit { unsafe sqlite3_finalize(pointer) }

    /// Moves to the next row; false at the end, where the statement is ready to be bound and run again.
    func step() throws(StorageError) -> Bool {
        let code = unsafe sqlite3_step(pointer)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else {
            let error = database.failure(code)
            reset()
            throw error
        }
        reset()
        return false
    }

    /// Runs a statement to its end.
    func run() throws(StorageError) {
        while try step() {}
    }

    /// Makes the statement ready to be run again; its bindings stay. Whoever stops before the last row must call it.
    func reset() {
        unsafe sqlite3_reset(pointer)
    }

    // MARK: - Parameters

    func bind(_ index: Int32, _ number: Int64) throws(StorageError) {
        try check(unsafe sqlite3_bind_int64(pointer, index, number))
    }

    func bind(_ index: Int32, _ text: String) throws(StorageError) {
        var text = text
        let code = text.withUTF8 { bytes in
            // An empty string may have no address, and SQLite takes a null pointer for NULL.
            guard let base = bytes.baseAddress, bytes.count > 0 else {
                return unsafe carillon_bind_text_copy(pointer, index, "", 0)
            }
            guard let length = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
            return unsafe base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                unsafe carillon_bind_text_copy(pointer, index, $0, length)
            }
        }
        try check(code)
    }

    func bind(_ index: Int32, utf8 bytes: [UInt8]) throws(StorageError) {
        let code = unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress, bytes.count > 0 else {
                return unsafe carillon_bind_text_copy(pointer, index, "", 0)
            }
            guard let length = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
            return unsafe base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                unsafe carillon_bind_text_copy(pointer, index, $0, length)
            }
        }
        try check(code)
    }

    func bindNull(_ index: Int32) throws(StorageError) {
        try check(unsafe sqlite3_bind_null(pointer, index))
    }

    func bind(_ index: Int32, _ text: String?) throws(StorageError) {
        if let text { try bind(index, text) } else { try bindNull(index) }
    }

    func bind(_ index: Int32, _ number: Int64?) throws(StorageError) {
        if let number { try bind(index, number) } else { try bindNull(index) }
    }

    private func check(_ code: Int32) throws(StorageError) {
        guard code == SQLITE_OK else { throw database.failure(code) }
    }

    // MARK: - Columns of the current row

    func isNull(_ column: Int32) -> Bool {
        unsafe sqlite3_column_type(pointer, column) == SQLITE_NULL
    }

    func int(_ column: Int32) -> Int64 {
        unsafe sqlite3_column_int64(pointer, column)
    }

    func optionalInt(_ column: Int32) -> Int64? {
        isNull(column) ? nil : int(column)
    }

    /// The text of a column, empty for NULL.
    func text(_ column: Int32) -> String {
        optionalText(column) ?? ""
    }

    func optionalText(_ column: Int32) -> String? {
        guard let start = unsafe sqlite3_column_text(pointer, column) else { return nil }
        let count = unsafe Int(sqlite3_column_bytes(pointer, column))
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The bytes of a text column without a copy, none for NULL.
    func withText<Result>(_ column: Int32, _ body: (Span<UInt8>) -> Result) -> Result {
        guard let start = unsafe sqlite3_column_text(pointer, column) else { return body(Span()) }
        let count = unsafe Int(sqlite3_column_bytes(pointer, column))
        return body(unsafe Span(_unsafeElements: UnsafeBufferPointer(start: start, count: count)))
    }
}
