/// A parsed and compiled template, ready to be rendered any number of times, also at once.
package struct Template: Sendable {
    private let compiled: CompiledTemplate

    /// Parses a template and the partials it uses.
    package init(parsing text: String, options: TemplateOptions = TemplateOptions()) throws(LiquidError) {
        compiled = try Compiler.compile(text, options: options)
    }

    /// The variables that the template and its partials read, in the order of their places.
    package var referencedVariables: [VariableReference] { compiled.references }

    /// Whether the outcome may depend on one of these variables. A template that computes a variable's name depends on all.
    package func dependsOn(roots: Set<String>) -> Bool { compiled.dependsOn(roots: roots) }

    /// Renders into text.
    package func render(_ context: LiquidContext) throws(LiquidError) -> String {
        var buffer: [UInt8] = []
        try render(context, into: &buffer)
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Appends what the template renders to. After an error the buffer is as it was.
    package func render(_ context: LiquidContext, into buffer: inout [UInt8]) throws(LiquidError) {
        var renderer = Renderer(compiled, context, output: buffer)
        buffer = []
        do throws(LiquidError) {
            try renderer.run()
            buffer = renderer.output
        } catch {
            renderer.output.removeSubrange(renderer.outputStart...)
            buffer = renderer.output
            throw error
        }
    }
}

/// A condition on its own, as it stands in an `if`.
package struct Condition: Sendable {
    private let compiled: CompiledTemplate

    package init(parsing text: String, options: TemplateOptions = TemplateOptions()) throws(LiquidError) {
        compiled = try Compiler.compile(condition: text, options: options)
    }

    package var referencedVariables: [VariableReference] { compiled.references }

    package func dependsOn(roots: Set<String>) -> Bool { compiled.dependsOn(roots: roots) }

    package func evaluate(_ context: LiquidContext) throws(LiquidError) -> Bool {
        var renderer = Renderer(compiled, context, output: [])
        try renderer.run()
        return renderer.isAccepted
    }
}

extension CompiledTemplate {
    func dependsOn(roots: Set<String>) -> Bool {
        readsComputedNames || references.contains { roots.contains($0.root) }
    }
}
