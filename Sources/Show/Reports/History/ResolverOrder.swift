import Analysis
import Samples

/// The order in which resolvers were first asked. The position of a resolver decides its colour, so that all
/// charts of a history agree.
package struct ResolverOrder: Hashable, Sendable {
    package let labels: [String]
    private let places: [String: Int]

    /// Only the first of equal `labels` counts.
    package init(_ labels: [String] = []) {
        self.labels = labels.uniqued
        places = Dictionary(zip(self.labels, 0...)) { first, _ in first }
    }

    /// The position from 0; `nil` if the order is unknown.
    func place(of label: String) -> Int? { places[label] }

    /// The position of a resolver with its vantage point in its label.
    func place(of subject: HistoryHours.Subject) -> Int? {
        places[subject.target.label]
            ?? places[subject.target.unnamed(at: subject.vantage).label]
    }
}

extension HistoryReader {
    /// The context with the order of all resolvers, including those that the reader omits.
    func coloured(_ context: WindowContext) throws -> WindowContext {
        var context = context
        context.order = ResolverOrder(try source.everyLabel())
        return context
    }
}
