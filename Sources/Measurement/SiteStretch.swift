/// Answers of one resolver in a row that came from the same site, as NSID names it (RFC 5001).
public struct SiteStretch: Hashable, Sendable {
    public var site: String
    /// When the first and the last of them were asked for.
    public var first: Timestamp
    public var last: Timestamp
    public var answers: Int

    public init(site: String, first: Timestamp, last: Timestamp, answers: Int) {
        self.site = site
        self.first = first
        self.last = last
        self.answers = answers
    }
}

/// A resolver's answers came from one site, and from then on from another.
public struct SiteMove: Hashable, Sendable {
    public var moment: Timestamp
    /// The commonest site next to the move, on either side.
    public var from: String
    public var to: String

    public init(moment: Timestamp, from: String, to: String) {
        self.moment = moment
        self.from = from
        self.to = to
    }
}
