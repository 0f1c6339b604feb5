/// A notice of a resolver that was sent, or should have been.
package struct SentNotice: Hashable, Sendable {
    package var target: Recording.Target
    /// Its name for programs.
    package var kind: String
    /// Since when it is so.
    package var since: Timestamp
    /// When that was tried.
    package var sent: Timestamp
    /// Whether somebody took it.
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
