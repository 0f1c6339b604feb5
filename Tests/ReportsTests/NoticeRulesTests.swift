import Analysis
import Reports
import Samples
import Testing

struct NoticeRulesTests {
    private static let now = HistoryFixture.start

    private static func target(_ label: String, _ endpoint: String) -> Recording.Target {
        Recording.Target(label: label, endpoint: endpoint, transport: "udp", series: .cached)
    }

    private static let brook = target("brook", "198.51.100.1:53")
    private static let meadow = target("meadow", "192.0.2.1:53")
    private static let router = target("router", "192.168.1.1:53")

    /// Returns a round for each word. The rounds are five minutes apart, and the last one has just ended. A
    /// word begins with `!` if its round is marked as an outage. Each further sign describes a resolver:
    /// - `+`: It responded.
    /// - `?`: It responded without a verified certificate.
    /// - `.`: It did not respond.
    /// - A space: It was not queried.
    private func rounds(
        _ words: [String],
        of targets: [Recording.Target],
        queries: Int
    ) -> [RoundResponses] {
        words.enumerated().map { index, word in
            let marks: RoundMarks = word.hasPrefix("!") ? .outage : []
            let signs = word.drop { $0 == "!" }
            return RoundResponses(
                started: Self.now.advanced(by: .seconds(300 * (index - words.count))),
                marks: marks,
                resolvers: zip(targets, signs).filter { $1 != " " }.map { target, sign in
                    .init(
                        target: target,
                        sent: queries,
                        responses: sign == "." ? 0 : 1,
                        isUnverified: sign == "?"
                    )
                }
            )
        }
    }

    private func notices(
        _ words: [String],
        of targets: [Recording.Target] = [Self.brook, Self.meadow],
        queries: Int = 10,
        past: [SentNotice] = []
    ) -> [Notice] {
        NoticeRules(past: past, now: Self.now)
            .reachability(rounds(words, of: targets, queries: queries))
    }

    private func told(_ kind: Notice.Kind, minutesAgo: Int, delivered: Bool = true) -> SentNotice {
        let moment = Self.now.advanced(by: .seconds(-60 * minutesAgo))
        return SentNotice(
            target: Self.brook,
            kind: kind.rawValue,
            since: moment,
            sent: moment,
            isDelivered: delivered
        )
    }

    @Test(arguments: [
        ["++", ".+", ".+"], [".+", ".+"], ["++", ".+", "..", "!..", ".+"],
        // A round without a query to the resolver does not count for it.
        ["++", ".+", " +", ".+"],
    ])
    func `two silent rounds while others respond mean unreachable`(words: [String]) throws {
        let notices = notices(words)
        try #require(notices.count == 1)
        #expect(notices[0].kind == .unreachable && notices[0].target == Self.brook)
    }

    @Test(arguments: [
        [], ["++"], [".+"], ["++", "++"], [".+", "++", ".+"], [".+", ".+", "++"],
        // No other resolver responds, so the connection can be the cause.
        ["..", ".."], [".+", ".."], ["!.+", "!.+"], [".+", "!.+"], [". ", ". "],
        // The resolver is not queried any more.
        [".+", ".+", " +"],
    ])
    func `fewer silent rounds do not mean unreachable`(words: [String]) {
        #expect(notices(words).isEmpty)
    }

    @Test func `two lost queries can be chance, and four cannot`() {
        #expect(notices([".+", ".+"], queries: 1).isEmpty)
        #expect(notices([".+", ".+", ".+"], queries: 1).isEmpty)
        #expect(notices([".+", ".+", ".+", ".+"], queries: 1).count == 1)
        #expect(notices([".+", ".+"], queries: 2).count == 1)
        #expect(
            notices(["++", "++"], queries: 1, past: [told(.unreachable, minutesAgo: 90)]).count == 1
        )
    }

    @Test func `an answer of a local resolver does not prove a connection`() {
        #expect(notices([".+", ".+"], of: [Self.brook, Self.router]).isEmpty)
        #expect(
            notices([".+", ".+"], of: [Self.router, Self.brook]).map(\.target) == [Self.router]
        )
    }

    @Test func `the same address over another transport proves a connection`() {
        var overTCP = Self.brook
        overTCP.transport = "tcp"
        let notices = notices([".+", ".+"], of: [Self.brook, overTCP])
        #expect(notices.map(\.target) == [Self.brook])
        #expect(notices.first?.title.contains("udp") == true)
    }

    @Test func `the notice states the time, the queries and the rounds`() throws {
        let notice = try #require(notices(["++", ".+", ".+", ".+"]).first)
        #expect(notice.since == Self.now.advanced(by: .seconds(-900)))
        #expect(notice.title == "brook is unreachable")
        #expect(
            notice.text(.utc)
                == "brook (198.51.100.1:53) has been unreachable since 2026-03-15 22:45: no "
                + "response to 30 queries in 3 rounds, while others responded."
        )
    }

    @Test func `an outage is reported once, and again after a reported recovery`() {
        let gone = told(.unreachable, minutesAgo: 300)
        #expect(notices([".+", ".+"], past: [gone]).isEmpty)
        #expect(notices([".+", "++"], past: [gone]).isEmpty)
        let back = notices(["++", "++"], past: [gone])
        #expect(back.map(\.kind) == [.recovered])
        #expect(
            back.first?.text(.utc)
                == "brook (198.51.100.1:53) has responded again since 2026-03-15 22:50; "
                + "it had been unreachable for 4 h 50 min."
        )
        let both = [gone, told(.recovered, minutesAgo: 200)]
        #expect(notices(["++", "++"], past: both).isEmpty)
        #expect(notices([".+", ".+"], past: both).map(\.kind) == [.unreachable])
    }

    @Test func `a notice mentions unverified answers`() {
        let gone = told(.unreachable, minutesAgo: 300)
        let back = notices(["?+", "++"], past: [gone])
        #expect(back.first?.text(.utc).hasSuffix(" 50 min. No certificate was verified.") == true)
    }

    @Test func `only a reported outage is followed by a recovery`() {
        #expect(notices(["++", "++"], past: []).isEmpty)
        let failed = told(.unreachable, minutesAgo: 300, delivered: false)
        #expect(notices(["++", "++"], past: [failed]).isEmpty)
    }

    @Test func `one notice of a kind is sent per hour, with the delayed notices`() {
        let flapping = [told(.unreachable, minutesAgo: 59), told(.recovered, minutesAgo: 20)]
        #expect(notices([".+", ".+"], past: flapping).isEmpty)
        let later = [told(.unreachable, minutesAgo: 60), told(.recovered, minutesAgo: 21)]
        #expect(notices([".+", ".+"], past: later).map(\.kind) == [.unreachable])
        // The notice was not delivered. It is sent again after an hour.
        let failed = told(.unreachable, minutesAgo: 59, delivered: false)
        #expect(notices([".+", ".+"], past: [failed]).isEmpty)
        let earlier = told(.unreachable, minutesAgo: 60, delivered: false)
        #expect(notices([".+", ".+"], past: [earlier]).map(\.kind) == [.unreachable])
        // The clock was set back after the notice.
        let future = told(.unreachable, minutesAgo: -30, delivered: false)
        #expect(notices([".+", ".+"], past: [future]).map(\.kind) == [.unreachable])
    }

    @Test func `several notices are sent together`() {
        let notices = notices(
            ["..+", "..+"],
            of: [Self.brook, Self.router, Self.target("c", "203.0.113.1:53")]
        )
        #expect(notices.map(\.target) == [Self.brook, Self.router])
    }
}
