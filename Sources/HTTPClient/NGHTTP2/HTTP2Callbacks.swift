import CNGHTTP2

/// The C functions through which nghttp2 reports to an `HTTP2Session`.
enum HTTP2Callbacks {
    /// A client session; its user data must become the `HTTP2Session`.
    static func newSession() -> OpaquePointer? {
        var callbacks: OpaquePointer?
        guard unsafe nghttp2_session_callbacks_new(&callbacks) == 0 else { return nil }
        defer { unsafe nghttp2_session_callbacks_del(callbacks) }
        unsafe register(callbacks)
        var option: OpaquePointer?
        guard unsafe nghttp2_option_new(&option) == 0 else { return nil }
        defer { unsafe nghttp2_option_del(option) }
        // Closed streams are remembered for the priority tree only, which nobody uses.
        unsafe nghttp2_option_set_no_closed_streams(option, 1)
        var session: OpaquePointer?
        guard unsafe nghttp2_session_client_new2(&session, callbacks, nil, option) == 0 else { return nil }
        return unsafe session
    }

    private static func register(_ callbacks: OpaquePointer?) {
        unsafe nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { session, frame, context in
            guard let frame = unsafe frame else { return 0 }
            if let (owner, slot) = unsafe HTTP2Callbacks.stream(session, frame.pointee.hd.stream_id, context) {
                owner.beginHead(slot)
            }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            session, frame, name, nameLength, value, valueLength, _, context in
            guard let frame = unsafe frame else { return 0 }
            if let (owner, slot) = unsafe HTTP2Callbacks.stream(session, frame.pointee.hd.stream_id, context) {
                unsafe owner.receiveField(
                    slot, name: UnsafeBufferPointer(start: name, count: nameLength),
                    value: UnsafeBufferPointer(start: value, count: valueLength))
            }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) {
            session, _, id, data, length, context in
            if let (owner, slot) = unsafe HTTP2Callbacks.stream(session, id, context) {
                unsafe owner.receiveBody(slot, UnsafeRawBufferPointer(start: data, count: length))
            }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { session, frame, context in
            if let frame = unsafe frame { unsafe HTTP2Callbacks.receive(frame.pointee, session, context) }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { session, id, code, context in
            if let (owner, slot) = unsafe HTTP2Callbacks.stream(session, id, context) {
                owner.closeStream(slot, code: code)
            }
            return 0
        }
    }

    private static func receive(
        _ frame: nghttp2_frame, _ session: OpaquePointer?, _ context: UnsafeMutableRawPointer?
    ) {
        let header = unsafe frame.hd
        switch UInt32(header.type) {
        case NGHTTP2_HEADERS.rawValue, NGHTTP2_DATA.rawValue:
            guard UInt32(header.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0,
                let (owner, slot) = unsafe stream(session, header.stream_id, context)
            else { return }
            owner.endResponse(slot)
        case NGHTTP2_SETTINGS.rawValue where UInt32(header.flags) & NGHTTP2_FLAG_ACK.rawValue == 0:
            unsafe owner(context)?.receiveSettings()
        case NGHTTP2_GOAWAY.rawValue:
            unsafe owner(context)?.receive(HTTP2GoAway(frame.goaway))
        default: break
        }
    }

    private static func owner(_ context: UnsafeMutableRawPointer?) -> HTTP2Session? {
        unsafe context.map { unsafe Unmanaged<HTTP2Session>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The session and the slot of a stream that it knows.
    private static func stream(
        _ session: OpaquePointer?, _ id: Int32, _ context: UnsafeMutableRawPointer?
    ) -> (owner: HTTP2Session, slot: Int)? {
        guard let data = unsafe nghttp2_session_get_stream_user_data(session, id), let owner = unsafe owner(context)
        else { return nil }
        return (owner, Int(bitPattern: data) - 1)
    }

    /// Reads a request's body where nghttp2 writes its DATA frames.
    static func bodyProvider(_ slot: Int) -> nghttp2_data_provider {
        var provider = unsafe nghttp2_data_provider()
        unsafe provider.source.ptr = unsafe UnsafeMutableRawPointer(bitPattern: slot + 1)
        unsafe provider.read_callback = { _, _, target, length, flags, source, context in
            guard let owner = unsafe HTTP2Callbacks.owner(context), let source = unsafe source,
                let flags = unsafe flags
            else { return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
            let slot = Int(bitPattern: unsafe source.pointee.ptr) - 1
            let (count, isLast) = unsafe owner.readBody(
                slot, into: UnsafeMutableRawBufferPointer(start: target, count: length))
            if isLast { unsafe flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
            return count
        }
        return unsafe provider
    }

    /// nghttp2's words for its error.
    static func text(_ code: Int) -> String {
        unsafe String(cString: nghttp2_strerror(Int32(clamping: code)))
    }

    /// The name of an HTTP/2 error code (RFC 9113 section 7).
    static func name(ofError code: UInt32) -> String {
        unsafe String(cString: nghttp2_http2_strerror(code))
    }
}

extension HTTP2GoAway {
    fileprivate init(_ frame: nghttp2_goaway) {
        let text = unsafe UnsafeBufferPointer(start: frame.opaque_data, count: min(frame.opaque_data_len, 512))
        unsafe self.init(
            lastStream: frame.last_stream_id, code: frame.error_code, text: String(decoding: text, as: UTF8.self))
    }
}
