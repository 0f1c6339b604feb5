import Samples
import Synchronization

/// A place of a central store whose rows cannot be read. Its rounds are left out.
package struct UnreadPlace: Error, Hashable, Sendable, CustomStringConvertible {
    package var source: Int
    package var vantage: String
    /// The fault of its rows. It may contain text of the place, with any characters.
    package var reason: String
    /// Whether its rows exceed the limits of a reader; otherwise they are damaged.
    package var isExcessive: Bool

    init(_ place: CentralHistory.Place, _ reason: String, isExcessive: Bool = false) {
        (source, vantage) = (place.source, place.vantage)
        self.reason = reason.cut(toBytes: 400)
        self.isExcessive = isExcessive
    }

    package var description: String { "place \(source) (\(vantage)): \(reason)" }
}

/// The places of one central store that readers leave out.
///
/// A place whose rows cannot be read is added during the reading. Then everything is read again without it,
/// so that a report contains a place completely or not at all.
package final class LeftOutPlaces: Sendable {
    /// The numbers of the places that the user leaves out.
    package let chosen: Set<Int>
    private let found = Mutex<[Int: UnreadPlace]>([:])

    package init(_ chosen: Set<Int> = []) { self.chosen = chosen }

    /// The places that could not be read, sorted by number.
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
