/// Colours for a terminal, or none.
package struct TextStyle: Sendable {
    package var isColored: Bool

    package static let plain = TextStyle(isColored: false)

    func bold(_ text: String) -> String { colored(text, "1") }
    func dim(_ text: String) -> String { colored(text, "2") }
    func red(_ text: String) -> String { colored(text, "31") }
    func green(_ text: String) -> String { colored(text, "32") }
    func yellow(_ text: String) -> String { colored(text, "33") }
    func cyan(_ text: String) -> String { colored(text, "36") }

    private func colored(_ text: String, _ code: String) -> String {
        isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
