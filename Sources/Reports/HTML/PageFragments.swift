/// Parts that pages have in common.
package enum PageFragments {
    /// The plain-words answer: the finding as a heading, then how sure it is, then the rest.
    package static func answer(
        _ headline: String,
        scope: String = "",
        details: [String] = [],
        isFirst: Bool = true
    ) -> HTML {
        let paragraphs = [
            scope.isEmpty ? nil : HTML(.p, [.class("scope")], HTML(text: scope)),
            details.isEmpty ? nil : HTML(.p, HTML(text: details.joined(separator: " "))),
        ]
        return HTML(
            .div,
            [.class("answer")],
            [HTML(isFirst ? .h1 : .h2, HTML(text: headline))] + paragraphs.compactMap { $0 }
        )
    }

    /// A part of the page under a heading; nothing where it has no content.
    package static func section(_ heading: String, id: String, _ content: [HTML]) -> HTML {
        guard content.contains(where: { !$0.markup.isEmpty }) else { return .nothing }
        return HTML(.section, [.id(id)], [HTML(.h2, HTML(text: heading))] + content)
    }

    /// Each a paragraph of its own behind a dot.
    package static func list(_ sentences: [String]) -> HTML {
        sentences.isEmpty
            ? .nothing : HTML(.ul, [], sentences.map { HTML(.li, HTML(text: $0)) })
    }

    /// What encryption costs, a sentence each, where that was measured.
    static func encryption(_ sentences: [String]) -> [HTML] {
        [
            section(
                "What encryption costs here",
                id: "encryption",
                sentences.map { HTML(.p, HTML(text: $0)) }
            )
        ]
    }

    /// Each with what is to be said of it.
    package static func terms(_ pairs: [(name: String, text: String)]) -> HTML {
        HTML(
            .dl,
            [],
            pairs.flatMap { name, text in
                [HTML(.dt, HTML(text: name)), HTML(.dd, HTML(text: text))]
            }
        )
    }

    /// What is folded away until somebody asks for it.
    package static func folded(_ summary: String, _ content: [HTML]) -> HTML {
        HTML(.details, [], [HTML(.summary, HTML(text: summary))] + content)
    }

    /// Lines to be copied, such as a command.
    package static func lines(_ lines: [String]) -> HTML {
        HTML(.pre, [.focusable], HTML(.code, HTML(lines: lines)))
    }
}
