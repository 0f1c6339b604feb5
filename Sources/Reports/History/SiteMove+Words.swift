import Charts
import Samples

extension SiteMove {
    /// Names of servers can be long; the whole of them is in the tooltip and the sentence.
    private static let mostColumns = 18

    /// Such as `site lon01 → fra02`.
    fileprivate var mark: TimeMark {
        let names = [from, to].map(EscapedText.terminal)
        var short = names.map { $0.truncated(to: Self.mostColumns) }
        if short[0] == short[1] {
            short = names.map {
                String(String($0.reversed()).truncated(to: Self.mostColumns).reversed())
            }
        }
        return TimeMark(
            .site,
            moment: moment.wholeSeconds,
            label: "site \(short[0]) → \(short[1])",
            detail: "moved from the site \(names[0]) to \(names[1])"
        )
    }

    /// Such as `At 2026-03-25 14:00 meadow moved from the site lon01 to fra02.`
    func sentence(of name: String, clock: LocalClock) -> String {
        "At \(clock.text(moment)) \(name) moved from the site \(EscapedText.terminal(from)) to "
            + "\(EscapedText.terminal(to))."
    }
}

extension [SiteMove] {
    /// Of more there are too many to be told one by one.
    private static var mostTold: Int { 5 }

    /// One each; none where there are too many to be read.
    var marks: [TimeMark] { count > Self.mostTold ? [] : map(\.mark) }

    /// The latest first.
    func sentences(of name: String, clock: LocalClock) -> [String] {
        guard count <= Self.mostTold else {
            let sites = Set(flatMap { [$0.from, $0.to] }).count
            return ["\(name) moved \(count) times between \(sites) sites."]
        }
        return reversed().map { $0.sentence(of: name, clock: clock) }
    }
}
