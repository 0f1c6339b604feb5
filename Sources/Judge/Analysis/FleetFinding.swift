package import Samples
import Statistics

/// A resolver that became slower at many places at the same time.
package struct FleetFinding: Hashable, Sendable {
    /// The resolver, as the first of the places has it.
    package let target: Recording.Target
    /// The first hour of the evidence, since 1970-01-01T00:00:00Z, and the hour in which it sufficed.
    package let hour: Int
    package let establishedHour: Int
    /// The names of the named places, and the number of places that asked the resolver.
    package let places: [String]
    package let count: Int
}

extension [HistoryHours.Timeline] {
    /// The resolvers that became slower at many places at the same time, the newest change first; `nil` if
    /// the places are few. Their changes are then reported one by one.
    package var fleetFindings: [FleetFinding]? {
        let vantages = map(\.subject.vantage).uniqued
        guard vantages.count >= FleetChanges.leastPlaces else { return nil }
        let numbers = Dictionary(zip(vantages, vantages.indices)) { first, _ in first }
        let targets = map { $0.subject.target.unnamed(at: $0.subject.vantage) }
        let candidates = targets.map(PlaceCandidate.init).uniqued
        let columns = Dictionary(zip(candidates, candidates.indices)) { first, _ in first }
        var tracks: [[PlaceTrack?]] = vantages.map { _ in candidates.map { _ in nil } }
        for (index, track) in Concurrently.map(self, { PlaceTrack($0.blocks()) }).enumerated() {
            guard let place = numbers[self[index].subject.vantage],
                let column = columns[PlaceCandidate(targets[index])],
                // If a place asks it at two addresses, the first address counts.
                tracks[place][column] == nil
            else { continue }
            tracks[place][column] = track
        }
        let found = FleetChanges.all(of: candidates.map(\.label), at: tracks)
        return zip(candidates, found).enumerated().flatMap { column, part -> [FleetFinding] in
            let (candidate, changes) = part
            guard let target = targets.first(where: { PlaceCandidate($0) == candidate }) else {
                return []
            }
            return changes.map { change in
                FleetFinding(
                    target: target,
                    hour: change.hour,
                    establishedHour: change.establishedHour,
                    places: change.places.map { vantages[$0] },
                    count: tracks.count { $0[column] != nil }
                )
            }
        }
        .sorted { ($1.hour, $0.target.label) < ($0.hour, $1.target.label) }
    }
}
