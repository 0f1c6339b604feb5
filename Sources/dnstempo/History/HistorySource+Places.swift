import Central
import Failures
import Reports
import Samples
import Store

/// The places of a history, and what its resolvers are called at each.
extension HistorySource {
    /// The same with resolvers called as each place calls them.
    var namedAsRecorded: HistorySource {
        var source = self
        source.tellsPlaces = false
        return source
    }

    func targetsByPlace() throws -> [(vantage: String, Recording.Target)] {
        switch content {
        case .stores, .central:
            try named().stores.flatMap { try $0.targetsByPlace() }
        case .files(let files): files.targetsByPlace
        }
    }

    func placeNames() throws -> PlaceNames {
        let places = try vantages()
        guard tellsPlaces, places.count > 1 else {
            // A report on several places calls them so.
            let recorded = labels?.flatMap { places.map($0.withoutPlace) }
            return PlaceNames(wanted: labels?.union(recorded ?? []))
        }
        return PlaceNames(
            wanted: labels,
            of: try targetsByPlace().filter { filter.contains(vantage: $0.vantage) }
        )
    }

    /// The places that measured one of the wanted resolvers; `nil` where all resolvers are wanted. The
    /// rounds and gaps of other places say nothing of these resolvers.
    func placesOfLabels() throws -> Set<String>? {
        guard labels != nil else { return nil }
        let names = try placeNames()
        let targets = try targetsByPlace().filter { place, target in
            (names.recorded?.contains(target.label) ?? true)
                && names.named(target, at: place) != nil
        }
        return Set(targets.map(\.vantage))
    }

    /// The places that measured in a window, where there is more than one in all; else none.
    func places(in window: Range<Timestamp>) throws -> Set<String> {
        try vantages().count > 1 ? Set(rounds(window).map(\.vantage)) : []
    }

    func vantages() throws -> Set<String> {
        let all =
            switch content {
            case .stores, .central:
                try named().stores.flatMap { try $0.vantages() }
            case .files(let files): files.runs.map(\.run.vantage)
            }
        return Set(all.filter { filter.contains(vantage: $0) })
    }

    /// The context of a report on the window that the options tell, or on the `last` so long before its end.
    func context(_ options: WindowOptions, last length: Duration? = nil) throws -> WindowContext {
        var options = options
        // As it is called in what is read.
        if let vantages = filter.vantages { options.vantage = vantages.sorted() }
        return try options.window(span: spanOfFiles, last: length)
    }

    /// Replaces a wanted name that no place with rounds shows by the names that readers show for it, such
    /// as `berlin` by `berlin (place 3)`.
    func replaceForeignNames(in wanted: inout SampleFilter) throws {
        guard case .central(let reader) = content, let names = wanted.vantages else { return }
        wanted.vantages = Set(try names.flatMap { try reader.shownNames(of: $0) })
    }

    /// The labels of each place of a central store; refused of files, which have none.
    func labelsByPlace() throws -> [String: [String: String]] {
        guard case .central(let reader) = content else {
            throw Failure.usage(
                "--by label:KEY: files have no labels of places; name a central store with --store URL"
            )
        }
        let labels = try reader.places().flatMap { place in
            Set(place.names.values).map { ($0, place.labels) }
        }
        return Dictionary(labels) { $0.merging($1) { $1 } }
    }
}
