import Analysis
import Samples

/// The order in which resolvers were first asked. The place of a resolver in it decides its colour, so
/// that all charts of a history agree, whatever they show of it.
package struct ResolverOrder: Hashable, Sendable {
    package let labels: [String]
    private let places: [String: Int]

    /// The first of several equal `labels` counts.
    package init(_ labels: [String] = []) {
        self.labels = labels.uniqued
        places = Dictionary(zip(self.labels, 0...)) { first, _ in first }
    }

    /// The place from 0; `nil` where the order is not known.
    func place(of label: String) -> Int? { places[label] }

    /// The same of a resolver that has its vantage point in its label.
    func place(of subject: HistoryHours.Subject) -> Int? {
        places[subject.target.label]
            ?? places[subject.target.unnamed(at: subject.vantage).label]
    }
}

extension HistoryReader {
    /// With the order of all resolvers, also of those that the reader leaves out.
    func coloured(_ context: WindowContext) throws -> WindowContext {
        var context = context
        context.order = ResolverOrder(try source.everyLabel())
        return context
    }
}
