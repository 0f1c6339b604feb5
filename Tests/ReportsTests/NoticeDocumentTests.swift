import Analysis
import Catalogue
import Fixtures
import Foundation
import Reports
import Samples
import Testing

struct NoticeDocumentTests {
    /// Returns notices that the resolvers with these labels are unreachable.
    private func document(
        _ labels: String...,
        vantage: String = "desk",
        path: PathTrace? = nil
    ) throws -> NoticeDocument {
        let targets = (labels + ["other"]).enumerated().map { index, label in
            Recording.Target(
                label: label,
                endpoint: "192.0.2.\(index + 1):53",
                transport: "udp",
                series: .cached
            )
        }
        let rounds = (1...2).map { number in
            RoundResponses(
                started: HistoryFixture.moment(round: number),
                marks: [],
                resolvers: targets.map { target in
                    .init(target: target, sent: 2, responses: target.label == "other" ? 2 : 0)
                }
            )
        }
        let now = HistoryFixture.moment(round: 2)
        var notices = NoticeRules(past: [], now: now)
            .reachability(rounds)
        #expect(notices.count == labels.count)
        if let path {
            notices[0].trace = KeptTrace(
                vantage: vantage,
                run: "r",
                round: 2,
                target: notices[0].target,
                kind: "unreachable",
                since: notices[0].since,
                time: now,
                path: path
            )
        }
        return NoticeDocument(
            notices,
            vantage: vantage,
            now: now,
            clock: HistoryFixture.berlin,
            toolVersion: "1.0.0"
        )
    }

    @Test func `JSON contains every part of a notice`() throws {
        try Golden.expect(try document("brook", "cliff").json, in: "notice.json")
    }

    @Test func `a notice contains the path to the resolver`() throws {
        let hop = PathTrace.Hop(
            address: try #require(IPAddress("2001:db8::1")),
            roundTrip: .microseconds(1_250)
        )
        let path = PathTrace(hops: [hop, nil, hop], end: .answered, site: "<b>\u{202E}1")
        let document = try document("brook", "cliff", path: path)
        try Golden.expect(document.json, in: "notice-trace.json")
        #expect(document.plainBody.contains(" Path: 2001:db8::1 1.3 ms, no answer at hop 2, "))
        #expect(
            !document.body.contains("<b>") && !document.body.unicodeScalars.contains("\u{202E}")
        )
    }

    @Test func `a desktop notice has a title and one line per notice`() throws {
        let one = try document("brook")
        #expect(one.title == "dnstempo: brook is unreachable")
        #expect(
            one.body.hasPrefix("brook (192.0.2.1:53) has been unreachable since 2026-03-16 00:30")
        )
        let two = try document("brook", "cliff")
        #expect(two.title == "dnstempo: 2 notices")
        #expect(two.body.split(separator: "\n").count == 2)
    }

    @Test(arguments: [
        "\"; rm -rf ~; \"", "$(touch x)", "`x`", "a\nb", "\u{1B}[31m", "-n", "</b><a href=\"x\">",
        "\u{202E}abc", "\\", "{\"kind\": 1}",
    ])
    func `hostile text remains text`(label: String) throws {
        let document = try document(label, vantage: label)
        let parsed = try JSONSerialization.jsonObject(with: Data(document.json.utf8))
        let object = try #require(parsed as? [String: Any])
        #expect(object["vantage"] as? String == label)
        let notices = try #require(object["notices"] as? [[String: Any]])
        #expect(notices.first?["resolver"] as? String == label)
        #expect((notices.first?["text"] as? String)?.hasPrefix(label) == true)
        #expect(document.title.hasPrefix("dnstempo: "))
        for text in [document.title, document.body, document.plainBody] {
            #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control })
            #expect(!text.unicodeScalars.contains("\u{202E}"))
        }
        #expect(!document.body.contains("<") && !document.body.contains(">"))
    }
}
