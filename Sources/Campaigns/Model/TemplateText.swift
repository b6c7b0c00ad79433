package import Liquid

/// A text of a campaign that may hold Liquid.
package struct TemplateText: Sendable {
    package let place: TextPlace
    package let template: Template
    /// The whole text, where it holds no Liquid.
    package let constant: String?

    package init(place: TextPlace, template: Template, constant: String?) {
        self.place = place
        self.template = template
        self.constant = constant
    }

    /// The template as it is written.
    package var source: String { place.text }
}

/// The condition of `when`: a Liquid expression as it would stand in an `if`.
package struct CampaignCondition: Sendable {
    package let place: TextPlace
    package let condition: Condition

    package init(place: TextPlace, condition: Condition) {
        self.place = place
        self.condition = condition
    }
}
