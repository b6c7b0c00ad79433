/// Formats an instant. What is no date goes on unchanged, and so does everything when the format is empty.
let dateFilter = LiquidFilter("date", arguments: 1...1) { input, arguments, context in
    let format = arguments.first.text
    guard !format.utf8.isEmpty, let time = DateTime(input, context) else { return input }
    return .string(DateFormatter.format(time, format))
}

extension DateTime {
    /// Whole numbers and texts of digits are seconds since 1970; `now` and `today` are the context's clock.
    init?(_ value: LiquidValue, _ context: FilterContext) {
        switch value {
        case .int(let seconds): self.init(seconds: seconds, context.zone)
        case .string(let text):
            let word = text.utf8.count <= 5 ? text.lowercased() : ""
            if word == "now" || word == "today" {
                self.init(context.now, context.zone)
            } else if !text.utf8.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) {
                guard let seconds = Int64(text) else { return nil }
                self.init(seconds: seconds, context.zone)
            } else if let time = DateParser.parse(text, now: context.now, zone: context.zone) {
                self = time
            } else {
                return nil
            }
        default: return nil
        }
    }

    /// Beyond some ten million years there is no calendar to speak of.
    private init?(seconds: Int64, _ zone: LiquidTimeZone) {
        guard seconds.magnitude < 400_000_000_000_000 else { return nil }
        self.init(LiquidInstant(seconds: seconds), zone)
    }

    private init(_ instant: LiquidInstant, _ zone: LiquidTimeZone) {
        let inForce = zone.offset(instant.seconds)
        self.init(instant: instant, offset: inForce.seconds, abbreviation: inForce.abbreviation)
    }
}
