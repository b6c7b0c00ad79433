import Liquid

/// 2024-01-01T00:01:58Z, the moment at which these tests stand.
let now = LiquidInstant(seconds: 1_704_067_318)

func render(
    _ template: String, _ data: LiquidValue = [:], options: TemplateOptions = TemplateOptions(),
    zone: LiquidTimeZone = .utc
) throws(LiquidError) -> String {
    try Template(parsing: template, options: options).render(context(data, zone: zone))
}

func context(_ data: LiquidValue = [:], zone: LiquidTimeZone = .utc) -> LiquidContext {
    let variables: any LiquidObject = if case .object(let object) = data { object } else { LiquidMap([]) }
    return LiquidContext(variables: variables, now: now, zone: zone)
}

/// What goes wrong with a template.
func failure(
    _ template: String, _ data: LiquidValue = [:], options: TemplateOptions = TemplateOptions()
) -> LiquidError? {
    do throws(LiquidError) {
        _ = try render(template, data, options: options)
        return nil
    } catch {
        return error
    }
}

extension String {
    /// Byte for byte, which `==` is not.
    func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
