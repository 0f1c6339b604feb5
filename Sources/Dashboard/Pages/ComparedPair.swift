import Catalogue
import Reports

/// Two resolvers that are held against each other.
struct ComparedPair: Hashable, Sendable {
    /// What the other one is compared with.
    let baseline: String
    let candidate: String

    /// As they are asked for; else the one in use, and the first of the others.
    init(
        _ baseline: String?,
        _ candidate: String?,
        in history: any RecordedHistory,
        _ settings: DashboardSettings
    ) throws {
        let labels = try history.resolverLabels()
        for label in [baseline, candidate].compactMap(\.self) where !labels.contains(label) {
            let near = NearestName.question(label, among: labels)
            throw CatalogueError(.usage, "'\(label)' was not measured\(near)")
        }
        let usual = labels.first { $0 == settings.inUse && $0 != candidate }
        guard let first = baseline ?? usual ?? labels.first(where: { $0 != candidate }),
            let second = candidate ?? labels.first(where: { $0 != first })
        else {
            throw CatalogueError(.usage, "nothing to compare: only one resolver was measured")
        }
        self.baseline = first
        self.candidate = second
    }

    /// Two lists to choose from.
    func form(_ labels: [String], window: WindowChoice) -> HTML {
        let lists = [("baseline", "Compare", baseline), ("candidate", "with", candidate)]
            .map { name, title, chosen in
                HTML(
                    .div,
                    HTML(.label, [.labels(name)], HTML(text: title)),
                    HTML(
                        .select,
                        [.id(name), .name(name)],
                        labels.map { label in
                            HTML(
                                .option,
                                [.value(label)] + (label == chosen ? [.selected] : []),
                                HTML(text: label)
                            )
                        }
                    )
                )
            }
        let kept = [("since", window.since), ("until", window.until)].map { name, value in
            HTML(.input, [.type("hidden"), .name(name), .value(value)])
        }
        return HTML(
            .form,
            [.id("pair"), .action("/compare")],
            lists + kept + [HTML(.button, [.type("submit")], "Compare")]
        )
    }
}
