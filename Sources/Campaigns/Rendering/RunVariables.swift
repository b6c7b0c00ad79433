internal import Liquid
internal import Push
internal import Schedules

/// What the templates of one run see: the campaign, the occurrence and the data sources, and the clock.
///
/// The clock stands at the occurrence's nominal instant, and dates are shown in the campaign's zone, so that a preview, the
/// run, and a run that goes on after a crash all render the same.
struct RunVariables: Sendable {
    private let context: LiquidContext

    init(_ campaign: Campaign, at occurrence: Occurrence) {
        let head: LiquidValue = [
            "id": .string(campaign.id), "description": campaign.description.map { .string($0) } ?? .null,
            "owner": campaign.owner.map { .string($0) } ?? .null,
        ]
        var variables: [(String, LiquidValue)] = campaign.data.map { ($0.name, LiquidValue($0.value)) }
        variables.append(("campaign", head))
        variables.append(("occurrence", .string(occurrence.description)))
        let zone = campaign.schedule.zone
        context = LiquidContext(
            variables: LiquidMap(variables),
            now: LiquidInstant(seconds: occurrence.instant.secondsSinceEpoch),
            zone: LiquidTimeZone { seconds in
                let period = zone.period(containing: Instant(secondsSinceEpoch: seconds))
                return LiquidTimeZone.Offset(seconds: period.offset, abbreviation: period.abbreviation)
            })
    }

    /// The variables for one device; without one, those that are the same for all.
    func context(for registration: Registration?) -> LiquidContext {
        guard let registration else { return context }
        var context = context
        context.overlay = DeviceScope(registration)
        return context
    }

    /// Renders a text. An error has its place in the campaign's file.
    func render(_ text: TemplateText, in context: LiquidContext) throws(Diagnostic) -> String {
        if let constant = text.constant { return constant }
        do throws(LiquidError) {
            return try text.template.render(context)
        } catch {
            throw Diagnostic(error, in: text.place)
        }
    }

    func holds(_ condition: CampaignCondition, for registration: Registration?) throws(Diagnostic) -> Bool {
        do throws(LiquidError) {
            return try condition.condition.evaluate(context(for: registration))
        } catch {
            throw Diagnostic(error, in: condition.place)
        }
    }
}

extension DiagnosticCode {
    /// A template that is valid could not be rendered with the values at hand.
    package static let rendering = DiagnosticCode(rawValue: "rendering")
}

extension Diagnostic {
    /// An error that came up while a text of a campaign was rendered.
    init(_ error: LiquidError, in text: TextPlace) {
        let message = error.partial.map { "in the partial \"\($0)\": \(error.message)" } ?? error.message
        let place = error.partial == nil ? text.place(ofTextOffset: error.utf8Offset, length: 1) : text.place
        self.init(.error, .rendering, message, at: place)
    }
}

extension TemplateText {
    /// Whether it may render differently from one device to the next.
    var dependsOnDevice: Bool { constant == nil && template.dependsOn(roots: [DeviceScope.root]) }
}

extension CampaignCondition {
    var dependsOnDevice: Bool { condition.dependsOn(roots: [DeviceScope.root]) }
}
