internal import CYAML

/// What libyaml reports, with byte offsets into the source.
struct Event {
    enum Kind {
        case streamStart, streamEnd, documentStart, documentEnd, sequenceEnd, mappingEnd
        case alias(name: String)
        case scalar(text: String, style: YAMLScalar.Style)
        case sequenceStart, mappingStart
    }

    var kind: Kind
    var anchor: String?
    var tag: String?
    var range: SourceRange
}

/// What libyaml said when it stopped, with byte offsets into the source.
struct ParserProblem {
    var problem: String
    var offset: Int
    var context: String?
    var contextOffset: Int
}

/// The owner of one libyaml parser and of the bytes it reads.
@safe struct EventParser: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeMutableBufferPointer<UInt8>
    private let offsets: ScalarOffsets

    init(_ source: SourceText) {
        let bytes = source.bytes[source.textStart...]
        unsafe input = .allocate(capacity: bytes.count)
        _ = unsafe input.initialize(from: bytes)
        offsets = ScalarOffsets(source)
        unsafe parser = .allocate(capacity: 1)
        unsafe parser.initialize(to: yaml_parser_t())
        unsafe yaml_parser_initialize(parser)
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, input.baseAddress, bytes.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe input.deallocate()
    }

    /// The next event, or what is wrong with the text.
    func next() -> Result<Event, ParserProblemError> {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { return .failure(ParserProblemError(problem())) }
        defer { unsafe yaml_event_delete(&event) }
        let range = unsafe SourceRange(
            start: offsets.offset(ofScalar: event.start_mark.index), end: offsets.offset(ofScalar: event.end_mark.index)
        )
        var result = Event(kind: .streamEnd, range: range)
        switch unsafe event.type {
        case YAML_STREAM_START_EVENT: result.kind = .streamStart
        case YAML_DOCUMENT_START_EVENT: result.kind = .documentStart
        case YAML_DOCUMENT_END_EVENT: result.kind = .documentEnd
        case YAML_SEQUENCE_END_EVENT: result.kind = .sequenceEnd
        case YAML_MAPPING_END_EVENT: result.kind = .mappingEnd
        case YAML_ALIAS_EVENT:
            result.kind = .alias(name: unsafe Self.text(event.data.alias.anchor) ?? "")
        case YAML_SEQUENCE_START_EVENT:
            result.kind = .sequenceStart
            result.anchor = unsafe Self.text(event.data.sequence_start.anchor)
            result.tag = unsafe Self.text(event.data.sequence_start.tag)
        case YAML_MAPPING_START_EVENT:
            result.kind = .mappingStart
            result.anchor = unsafe Self.text(event.data.mapping_start.anchor)
            result.tag = unsafe Self.text(event.data.mapping_start.tag)
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            result.kind = .scalar(
                text: unsafe String(decoding: bytes, as: UTF8.self), style: unsafe Self.style(scalar.style))
            result.anchor = unsafe Self.text(scalar.anchor)
            result.tag = unsafe Self.text(scalar.tag)
        default: break
        }
        return .success(result)
    }

    private func problem() -> ParserProblem {
        let isReaderError = unsafe parser.pointee.error == YAML_READER_ERROR
        return unsafe ParserProblem(
            problem: Self.text(parser.pointee.problem) ?? "the parser ran out of memory",
            offset: isReaderError
                ? offsets.textStart + parser.pointee.problem_offset
                : offsets.offset(ofScalar: parser.pointee.problem_mark.index),
            context: Self.text(parser.pointee.context),
            contextOffset: offsets.offset(ofScalar: parser.pointee.context_mark.index))
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        guard let pointer = unsafe pointer else { return nil }
        return unsafe String(cString: pointer)
    }

    private static func text(_ pointer: UnsafeMutablePointer<UInt8>?) -> String? {
        guard let pointer = unsafe pointer else { return nil }
        return unsafe String(cString: pointer)
    }

    private static func style(_ style: yaml_scalar_style_t) -> YAMLScalar.Style {
        switch style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE: .literal
        case YAML_FOLDED_SCALAR_STYLE: .folded
        default: .plain
        }
    }
}

/// A `ParserProblem` on its way out of `EventParser.next()`.
struct ParserProblemError: Error {
    var problem: ParserProblem

    init(_ problem: ParserProblem) { self.problem = problem }
}

/// libyaml counts Unicode scalars; this turns its counts into byte offsets.
private struct ScalarOffsets {
    let textStart: Int
    private let byteCount: Int
    /// The byte offset of every 64th scalar; empty when all bytes are ASCII and the two counts are the same.
    private let marks: [Int]
    private let bytes: [UInt8]

    private static let stride = 64

    init(_ source: SourceText) {
        textStart = source.textStart
        byteCount = source.bytes.count
        bytes = source.bytes
        guard source.bytes[source.textStart...].contains(where: { $0 >= 0x80 }) else {
            marks = []
            return
        }
        var marks = [Int]()
        var scalars = 0
        for index in source.textStart..<source.bytes.count where !source.bytes[index].isUTF8Continuation {
            if scalars % Self.stride == 0 { marks.append(index) }
            scalars += 1
        }
        self.marks = marks
    }

    func offset(ofScalar count: Int) -> Int {
        guard !marks.isEmpty else { return min(textStart + count, byteCount) }
        guard count / Self.stride < marks.count else { return byteCount }
        var offset = marks[count / Self.stride]
        var remaining = count % Self.stride
        while remaining > 0, offset < byteCount {
            offset += 1
            while offset < byteCount, bytes[offset].isUTF8Continuation { offset += 1 }
            remaining -= 1
        }
        return offset
    }
}
