/// Answers of one resolver in a row that came from the same site, as NSID names it (RFC 5001).
package struct SiteStretch: Hashable, Sendable {
    package var site: String
    /// When the first and the last of them were asked for.
    package var first: Timestamp
    package var last: Timestamp
    package var answers: Int

    package init(site: String, first: Timestamp, last: Timestamp, answers: Int) {
        self.site = site
        self.first = first
        self.last = last
        self.answers = answers
    }
}

/// A resolver's answers came from one site, and from then on from another.
package struct SiteMove: Hashable, Sendable {
    package var moment: Timestamp
    /// The commonest site next to the move, on either side.
    package var from: String
    package var to: String

    package init(moment: Timestamp, from: String, to: String) {
        self.moment = moment
        self.from = from
        self.to = to
    }
}
