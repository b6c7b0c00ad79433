import Glibc
import Synchronization

/// The standard output or error of the process, buffered.
final class FileDescriptorOutput: ByteOutput {
    private let descriptor: Int32
    private let bufferSize: Int
    private let buffer = Mutex<[UInt8]>([])

    /// - Parameter bufferSize: Bytes to collect before they are written; 0 writes at once.
    init(descriptor: Int32, bufferSize: Int) {
        self.descriptor = descriptor
        self.bufferSize = bufferSize
    }

    func write(_ bytes: [UInt8]) throws(OutputFailure) {
        try buffer.withLock { buffer throws(OutputFailure) in
            buffer += bytes
            if buffer.count > bufferSize { try drain(&buffer) }
        }
    }

    func flush() throws(OutputFailure) {
        try buffer.withLock { buffer throws(OutputFailure) in try drain(&buffer) }
    }

    private func drain(_ buffer: inout [UInt8]) throws(OutputFailure) {
        defer { buffer.removeAll(keepingCapacity: true) }
        var written = 0
        while written < buffer.count {
            let count = unsafe buffer.withUnsafeBytes { bytes in
                unsafe Glibc.write(
                    descriptor, UnsafeRawBufferPointer(rebasing: bytes[written...]).baseAddress, bytes.count - written)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw errno == EPIPE ? .readerGone : .failed(systemMessage(errno))
            }
            written += count
        }
    }
}

/// A file or the standard input of the process. The file is closed with this object.
final class FileDescriptorInput: ByteInput {
    private let descriptor: Int32
    private let name: String
    private let ownsDescriptor: Bool

    static let standard = FileDescriptorInput(descriptor: STDIN_FILENO, name: "standard input", ownsDescriptor: false)

    private init(descriptor: Int32, name: String, ownsDescriptor: Bool) {
        self.descriptor = descriptor
        self.name = name
        self.ownsDescriptor = ownsDescriptor
    }

    convenience init(path: String, name: String) throws(InputFailure) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw InputFailure(name: name, reason: systemMessage(errno)) }
        self.init(descriptor: descriptor, name: name, ownsDescriptor: true)
    }

    func read(upTo count: Int) throws(InputFailure) -> [UInt8] {
        while true {
            var failure: Int32 = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                let read = unsafe Glibc.read(descriptor, buffer.baseAddress, count)
                failure = read < 0 ? errno : 0
                filled = max(read, 0)
            }
            if failure == 0 { return bytes }
            if failure != EINTR { throw InputFailure(name: name, reason: systemMessage(failure)) }
        }
    }

    deinit {
        if ownsDescriptor { close(descriptor) }
    }
}

/// The system's words for an error number.
func systemMessage(_ number: Int32) -> String {
    guard let text = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: text).lowercased()
}
