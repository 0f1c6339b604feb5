import Central
import Failures
import History
import Reports
import Samples
import Store

/// Queries of commands to a history.
extension HistorySource {
    /// The context of a report on the window of the options, or on the `last` duration before the window's
    /// end.
    func context(_ options: WindowOptions, last length: Duration? = nil) throws -> WindowContext {
        var options = options
        // The names as the history uses them.
        if let vantages = filter.vantages { options.vantage = vantages.sorted() }
        return try options.window(span: recorded.span, last: length)
    }

    /// The labels of each place of a central store. Throws for files, which have no places.
    func labelsByPlace() throws -> [String: [String: String]] {
        guard let central = recorded as? CentralSource else {
            throw Failure.usage(
                "--by label:KEY: files have no labels of places; name a central store with --store URL"
            )
        }
        let labels = try central.reader.places().flatMap { place in
            Set(place.names.values).map { ($0, place.labels) }
        }
        return Dictionary(labels) { $0.merging($1) { $1 } }
    }

    /// Reads the samples of a central store's window, which detects places that cannot be read.
    func prepare(_ window: Range<Timestamp>) throws {
        _ = try (recorded as? CentralSource)?.stores(window, .samples)
    }

    /// The store whose sums are listed individually.
    func storeOfSums() throws(Failure) -> Store {
        guard !filter.needsSamples else {
            throw Failure.usage("--rollups have no names and sites: leave out --name and --site")
        }
        guard let stores = (recorded as? StoreSource)?.group.stores else {
            throw Failure.usage(
                recorded is CentralSource
                    ? "--rollups: export a place's own store"
                    : "--rollups: a samples file has none; import it into a store first (dnstempo "
                        + "store import)"
            )
        }
        guard stores.count == 1 else {
            throw Failure.usage(
                "--rollups: of several stores hours would count twice; export each, or merge "
                    + "them first (dnstempo store merge)"
            )
        }
        return stores[0]
    }
}
