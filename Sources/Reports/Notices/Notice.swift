package import Samples

/// What somebody wants to be told of a resolver without having asked.
package struct Notice: Hashable, Sendable {
    /// What happened; the name is what programs know it by and never changes.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case unreachable, recovered, slower, faster
        case lessReliable = "less-reliable"
        case moreReliable = "more-reliable"

        /// Whether it is about responding at all; else it is a change of level.
        var isOfReachability: Bool { self == .unreachable || self == .recovered }
    }

    package let kind: Kind
    package let target: Recording.Target
    /// Since when it is so.
    package let since: Timestamp
    /// A few words that name the resolver, such as `meadow is unreachable`.
    package let title: String
    /// The sentence, in the reader's local time.
    package let text: String
    let figures: JSONValue
}

/// A notice that was sent before.
package struct PastNotice: Hashable, Sendable {
    package var kind: Notice.Kind
    package var target: Recording.Target
    package var since: Timestamp
    /// When that was tried.
    package var sent: Timestamp
    /// Whether somebody took it.
    package var isDelivered: Bool

    package init(
        kind: Notice.Kind,
        target: Recording.Target,
        since: Timestamp,
        sent: Timestamp,
        isDelivered: Bool
    ) {
        self.kind = kind
        self.target = target
        self.since = since
        self.sent = sent
        self.isDelivered = isDelivered
    }
}
