import Glibc

/// What is known of the terminals behind the standard streams.
enum Terminal {
    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// The width in characters: `COLUMNS`, or what the terminal says, or 80.
    static func columns(variables: [String: String]) -> Int {
        if let columns = variables["COLUMNS"].flatMap({ Int($0) }), columns > 0 { return columns }
        var size = winsize()
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
            if unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        }
        return 80
    }

    /// A reader that goes away must give an error on writing, not end the process.
    static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }
}
