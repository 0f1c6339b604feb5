import Samples
import Synchronization

/// A place of a central store whose rows cannot be read. Its rounds are left out.
package struct UnreadPlace: Error, Hashable, Sendable, CustomStringConvertible {
    package var source: Int
    package var vantage: String
    /// What is wrong with its rows. It may have text of the place, with any characters.
    package var reason: String
    /// Whether its rows are more than a reader takes; otherwise they are damaged.
    package var isExcessive: Bool

    init(_ place: CentralHistory.Place, _ reason: String, isExcessive: Bool = false) {
        (source, vantage) = (place.source, place.vantage)
        self.reason = reason.cut(toOctets: 400)
        self.isExcessive = isExcessive
    }

    package var description: String { "place \(source) (\(vantage)): \(reason)" }
}

/// The places of one central store that readers leave out.
///
/// A place whose rows cannot be read is added while they are read. Then everything is read anew
/// without it, so that a report has either all of a place or nothing.
package final class LeftOutPlaces: Sendable {
    /// The numbers of the places that the user leaves out.
    package let chosen: Set<Int>
    private let found = Mutex<[Int: UnreadPlace]>([:])

    package init(_ chosen: Set<Int> = []) { self.chosen = chosen }

    /// The places that could not be read, by their number.
    package var unread: [UnreadPlace] {
        found.withLock { $0.values.sorted { $0.source < $1.source } }
    }

    func contains(_ source: Int) -> Bool {
        chosen.contains(source) || found.withLock { $0[source] != nil }
    }

    func add(_ places: [UnreadPlace]) {
        found.withLock { found in
            for place in places { found[place.source] = place }
        }
    }
}
