package import Central
package import Samples
package import Store

/// The history that places have shipped to a central store.
package struct CentralSource: StoredHistory {
    package let reader: CentralReader
    private let sentences: @Sendable (UnreadPlace) -> String

    /// `sentences` returns a sentence about a place that could not be read, escaped for a terminal.
    package init(_ reader: CentralReader, sentences: @escaping @Sendable (UnreadPlace) -> String) {
        self.reader = reader
        self.sentences = sentences
    }

    package var unreadPlaces: [String] { reader.unreadPlaces.map(sentences) }

    package func stores(
        _ window: Range<Timestamp>,
        _ detail: CentralHistory.Detail
    ) throws -> StoreGroup { try reader.stores(window, detail) }

    package func spans() throws -> [Run.Origin: ClosedRange<Timestamp>] { try reader.spans() }

    package func rounds(_ window: Store.Window) throws -> [RoundMoment] {
        try reader.moments(window)
    }

    package func sites(_ window: Store.Window) throws -> [AnsweringSites] {
        // Without sites, a report shows a change without the site that answered.
        guard try reader.samples(in: window.times) <= Store.mostExactSamples else { return [] }
        return try stores(window.times, .samples).sites(window)
    }
}
