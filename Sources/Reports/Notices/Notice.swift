public import Measurement

/// What somebody wants to be told of a resolver without having asked.
public struct Notice: Hashable, Sendable {
    /// What happened; the name is what programs know it by and never changes.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case unreachable, recovered, slower, faster
        case lessReliable = "less-reliable"
        case moreReliable = "more-reliable"

        /// Whether it is about responding at all; else it is a change of level.
        var isOfReachability: Bool { self == .unreachable || self == .recovered }
    }

    public let kind: Kind
    public let target: Recording.Target
    /// Since when it is so.
    public let since: Timestamp
    /// A few words that name the resolver, such as `meadow is unreachable`.
    public let title: String
    /// The sentence, in the reader's local time.
    public let text: String
    let figures: JSONValue
}

/// A notice that was sent before.
public struct PastNotice: Hashable, Sendable {
    public var kind: Notice.Kind
    public var target: Recording.Target
    public var since: Timestamp
    /// When that was tried.
    public var sent: Timestamp
    /// Whether somebody took it.
    public var isDelivered: Bool

    public init(
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
