import Foundation
import Testing

@testable import Commands

struct FileDescriptorTests {
    @Test func `what is written is read back, whatever the size of the pieces`() throws {
        let harness = try CommandHarness()
        try harness.write("file", "")
        let handle = try #require(FileHandle(forWritingAtPath: harness.folder + "/file"))
        let output = FileDescriptorOutput(descriptor: handle.fileDescriptor, bufferSize: 10)
        for number in 1...100 { try output.writeLine("line \(number)") }
        try output.flush()
        let input = try FileDescriptorInput(path: harness.folder + "/file", name: "file")
        let bytes = try input.readAll(name: "file")
        #expect(String(decoding: bytes, as: UTF8.self) == (1...100).map { "line \($0)\n" }.joined())
    }

    @Test func `small pieces are written together, and errors at once`() throws {
        let harness = try CommandHarness()
        try harness.write("file", "")
        let handle = try #require(FileHandle(forWritingAtPath: harness.folder + "/file"))
        let buffered = FileDescriptorOutput(descriptor: handle.fileDescriptor, bufferSize: 100)
        try buffered.write("a")
        #expect(try harness.read("file") == "")
        try buffered.flush()
        #expect(try harness.read("file") == "a")
        try FileDescriptorOutput(descriptor: handle.fileDescriptor, bufferSize: 0).write("b")
        #expect(try harness.read("file") == "ab")
    }

    @Test func `a reader that is gone and a disk that is full are told apart`() throws {
        Terminal.ignoreBrokenPipes()
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let gone = FileDescriptorOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor, bufferSize: 0)
        #expect(throws: OutputFailure.readerGone) { try gone.write("x") }
        let device = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let full = FileDescriptorOutput(descriptor: device.fileDescriptor, bufferSize: 0)
        #expect(throws: OutputFailure.failed("no space left on device")) { try full.write("x") }
    }

    @Test(arguments: [
        ("/no/such/file", "no such file or directory"), ("/", "is a directory"),
    ])
    func `what cannot be read says why`(_ path: String, _ reason: String) {
        #expect(throws: InputFailure(name: "it", reason: reason)) {
            try FileDescriptorInput(path: path, name: "it").read(upTo: 1)
        }
    }

    @Test func `an input that is too large is refused`() throws {
        let input = TextInput(String(repeating: "x", count: 101))
        #expect(throws: InputFailure(name: "it", reason: "it holds more than 100 bytes")) {
            try input.readAll(name: "it", limit: 100)
        }
    }
}
