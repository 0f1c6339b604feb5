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
