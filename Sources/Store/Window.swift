package import Samples

extension Store {
    /// Which part of the history is meant.
    package struct Window: Hashable, Sendable {
        /// The first moment; `nil` is the beginning.
        package var since: Timestamp?
        /// The first moment no longer meant; `nil` is the end.
        package var until: Timestamp?
        /// What the rounds were measured for; `nil` is anything.
        package var origins: Set<Run.Origin>?
        /// Of the resolvers; `nil` is every one.
        package var labels: Set<String>?
        /// Whether samples count of rounds that say nothing of the resolvers: those of an outage,
        /// and those in which the machine was suspended.
        package var includesMarked: Bool

        package init(
            since: Timestamp? = nil,
            until: Timestamp? = nil,
            origins: Set<Run.Origin>? = nil,
            labels: Set<String>? = nil,
            includesMarked: Bool = false
        ) {
            self.since = since
            self.until = until
            self.origins = origins
            self.labels = labels
            self.includesMarked = includesMarked
        }

        /// Of samples at `time`.
        func contains(_ time: Timestamp) -> Bool {
            (since.map { time >= $0 } ?? true) && (until.map { time < $0 } ?? true)
        }

        func contains(_ origin: UInt8) -> Bool {
            guard let origins else { return true }
            return Run.Origin(rawValue: origin).map(origins.contains) ?? false
        }

        func contains(label: String) -> Bool { labels?.contains(label) ?? true }

        /// The same with other bounds.
        func between(_ since: Timestamp?, _ until: Timestamp?) -> Window {
            var window = self
            window.since = since
            window.until = until
            return window
        }
    }
}
