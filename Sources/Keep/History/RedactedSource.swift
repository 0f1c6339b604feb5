package import Samples
import Store

/// A source whose measurements have placeholders instead of values that identify the user.
package struct RedactedSource: SampleSource {
    private let source: any SampleSource
    private let redaction: Redaction

    package init(_ source: any SampleSource, _ redaction: Redaction) {
        (self.source, self.redaction) = (source, redaction)
    }

    /// The sentences contain the names of places and may contain their addresses.
    package var unreadPlaces: [String] {
        source.unreadPlaces.map { _ in Self.unreadPlace }
    }

    package static let unreadPlace = "A place could not be read and is left out."

    package func rounds(_ window: Range<Timestamp>) throws -> [RoundMoment] {
        try source.rounds(window).map(redaction.applied)
    }

    package func read(
        _ window: Range<Timestamp>,
        by grain: HistoryGrain,
        samples: (Recording) throws -> Void,
        sum: (HourlySum) throws -> Void
    ) throws -> HistoryLimits {
        try source.read(
            window,
            by: grain,
            samples: { try samples(redaction.applied(to: $0)) },
            sum: { try sum(redaction.applied(to: $0)) }
        )
    }

    @discardableResult
    package func readSamples(
        _ window: Range<Timestamp>,
        _ body: @escaping (Recording) throws -> Void
    ) throws -> Range<Timestamp>? {
        try source.readSamples(window) { try body(redaction.applied(to: $0)) }
    }

    package func sites(_ window: Range<Timestamp>) throws -> [AnsweringSites] {
        try source.sites(window).map(redaction.applied)
    }

    package func causes(_ window: Range<Timestamp>) throws -> [EstablishedCause] {
        try source.causes(window).map(redaction.applied)
    }

    /// Empty, because the hops of a path show the user's network.
    package func traces(_ window: Range<Timestamp>) -> [KeptTrace] { [] }

    package func advice(_ window: Range<Timestamp>) throws -> String { try source.advice(window) }

    package func targets() throws -> [Recording.Target] {
        try source.targets().map(redaction.applied)
    }

    package func everyLabel() throws -> [String] {
        try source.everyLabel().map(redaction.label)
    }

    package func vantages() throws -> Set<String> {
        Set(try source.vantages().map(redaction.vantage))
    }

    /// `labels` are placeholders.
    package func limited(to labels: Set<String>) -> any SampleSource {
        let known = (try? source.everyLabel() + source.resolverLabels()) ?? []
        let wanted = known.filter { labels.contains(redaction.label($0)) }
        return RedactedSource(source.limited(to: Set(wanted)), redaction)
    }

    /// `vantage` is a placeholder.
    package func limited(toPlace vantage: String) -> any SampleSource {
        let known = (try? source.vantages()) ?? []
        let place = known.first { redaction.vantage($0) == vantage }
        return RedactedSource(source.limited(toPlace: place ?? vantage), redaction)
    }
}

extension HistorySource {
    /// Notes all values of the history, and not only those of a window, so that every report of the history
    /// has the same placeholders.
    package func note(in redaction: inout Redaction) throws {
        for place in try recorded.vantages() { redaction.note(vantage: place) }
        for run in try recorded.runs() { redaction.note(run: run.run.id) }
        for target in try recorded.targets() { redaction.note(target) }
        for name in try recorded.names() { redaction.note(name: name) }
    }
}
