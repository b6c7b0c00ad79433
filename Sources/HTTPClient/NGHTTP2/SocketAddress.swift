import Glibc

/// An address to connect a TCP socket to.
struct SocketAddress: Sendable, Hashable {
    let family: Int32
    private let bytes: [UInt8]

    /// The address that a host is, without asking anybody; nil for a name.
    init?(numeric host: String, port: Int) {
        guard case .success(let addresses) = Self.lookUp(host, port: port, flags: AI_NUMERICHOST | AI_NUMERICSERV),
            let first = addresses.first
        else { return nil }
        self = first
    }

    private init(family: Int32, bytes: [UInt8]) {
        self.family = family
        self.bytes = bytes
    }

    /// The addresses of a name, the best one first (RFC 6724). It may take long; for threads that have the time.
    static func resolve(_ host: String, port: Int) -> Result<[SocketAddress], ResolutionFailure> {
        lookUp(host, port: port, flags: AI_ADDRCONFIG | AI_NUMERICSERV)
    }

    private static func lookUp(
        _ host: String, port: Int, flags: Int32
    ) -> Result<[SocketAddress], ResolutionFailure> {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = flags
        var list: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else {
            return .failure(ResolutionFailure(reason: unsafe String(cString: gai_strerror(code))))
        }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = unsafe list
        while let entry = unsafe next {
            unsafe next = unsafe entry.pointee.ai_next
            guard let address = unsafe entry.pointee.ai_addr else { continue }
            let bytes = unsafe UnsafeRawBufferPointer(start: address, count: Int(entry.pointee.ai_addrlen))
            unsafe addresses.append(SocketAddress(family: entry.pointee.ai_family, bytes: Array(bytes)))
        }
        return addresses.isEmpty ? .failure(ResolutionFailure(reason: "no address")) : .success(addresses)
    }

    /// Starts connecting a socket.
    ///
    /// - Returns: nil while it is on its way or done, or the system's error number.
    func connect(_ descriptor: Int32) -> Int32? {
        let result = unsafe bytes.withUnsafeBytes { bytes in
            guard let address = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return EINVAL }
            return unsafe Glibc.connect(descriptor, address, socklen_t(bytes.count)) == 0 ? 0 : errno
        }
        return result == 0 || result == EINPROGRESS ? nil : result
    }

    /// The address in digits, for messages.
    var text: String {
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let capacity = socklen_t(name.count)
        let code = unsafe bytes.withUnsafeBytes { bytes in
            unsafe getnameinfo(
                bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count), &name, capacity, nil,
                0, NI_NUMERICHOST)
        }
        guard code == 0 else { return "an unknown address" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// Why a name has no address, in the resolver's words.
struct ResolutionFailure: Error, Hashable {
    var reason: String
}
