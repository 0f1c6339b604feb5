/// A notice about a resolver that was sent, or that could not be sent.
package struct SentNotice: Hashable, Sendable {
    package var target: Recording.Target
    /// The name of the notice's kind, for programs.
    package var kind: String
    /// The time since which the reason for the notice exists.
    package var since: Timestamp
    /// The time of the attempt to send it.
    package var sent: Timestamp
    /// Whether a recipient accepted it.
    package var isDelivered: Bool

    package init(
        target: Recording.Target,
        kind: String,
        since: Timestamp,
        sent: Timestamp,
        isDelivered: Bool
    ) {
        self.target = target
        self.kind = kind
        self.since = since
        self.sent = sent
        self.isDelivered = isDelivered
    }
}
