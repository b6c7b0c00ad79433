internal import Liquid
internal import Push

/// Fields that are laid over a notification. The texts that are the same for every device of the run are rendered when it
/// is made.
struct NotificationOverlay: Sendable {
    private struct Text: Sendable {
        var target: FieldTarget
        var text: TemplateText
    }

    private let options: NotificationFields
    private let fixed: [(text: Text, rendered: String)]
    private let perDevice: [Text]
    private let variables: RunVariables

    /// - Throws: what goes wrong with a text that does not depend on the device; it would with every device.
    init(_ fields: NotificationFields, _ variables: RunVariables) throws(Diagnostic) {
        self.variables = variables
        options = fields
        var fixed: [(Text, String)] = []
        var perDevice: [Text] = []
        let context = variables.context(for: nil)
        for (target, text) in fields.texts {
            if text.dependsOnDevice {
                perDevice.append(Text(target: target, text: text))
            } else {
                fixed.append((Text(target: target, text: text), try variables.render(text, in: context)))
            }
        }
        self.fixed = fixed
        self.perDevice = perDevice
        // What a field cannot hold is found here too.
        var scratch = PushNotification.Fields()
        try layFixed(over: &scratch)
    }

    var dependsOnDevice: Bool { !perDevice.isEmpty }

    func lay(over fields: inout PushNotification.Fields, for registration: Registration) throws(Diagnostic) {
        try layFixed(over: &fields)
        try layTexts(over: &fields, for: registration)
    }

    /// Lays only what is the same for every device.
    func layFixed(over fields: inout PushNotification.Fields) throws(Diagnostic) {
        options.setOptions(in: &fields)
        for (text, rendered) in fixed { try Self.set(text, rendered, in: &fields) }
    }

    /// Lays only what differs from one device to the next.
    func layTexts(over fields: inout PushNotification.Fields, for registration: Registration) throws(Diagnostic) {
        guard dependsOnDevice else { return }
        let context = variables.context(for: registration)
        for text in perDevice { try Self.set(text, try variables.render(text.text, in: context), in: &fields) }
    }

    private static func set(
        _ text: Text, _ rendered: String, in fields: inout PushNotification.Fields
    ) throws(Diagnostic) {
        do throws(FieldTarget.Problem) {
            try text.target.set(rendered, in: &fields)
        } catch {
            throw Diagnostic(.error, .rendering, error.message, at: text.text.place.place)
        }
    }
}
