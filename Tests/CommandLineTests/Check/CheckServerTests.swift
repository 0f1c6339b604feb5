import Foundation
import Servers
import Testing

/// Each check with three servers: one passes, one fails, and one gives an inconclusive result.
@Suite struct CheckServerTests {
    /// Answers every query with SERVFAIL, so that checks are inconclusive.
    static let failing: ScriptedResponder.Script = {
        [.reply($0.answer(rcode: 2, addresses: []))]
    }

    @Test func `the check detects rewritten names that do not exist`() async throws {
        let checking = try Checking()
        try await withServer(.unbound()) { honest in
            try await withServer(.dnsmasq(domains: ["#": "198.51.100.80"])) { rewriting in
                try await withResponder(script: Self.failing) { failing in
                    let judgements = try await checking.judgements(
                        "rewriting",
                        [
                            "a=\(honest.endpoint)", "b=\(rewriting.endpoint)",
                            "c=\(failing.endpoint)",
                        ]
                    )
                    #expect(judgements == ["pass", "fail", "inconclusive"])
                }
            }
        }
    }

    @Test func `the check detects rewriting of only the names that begin with www`() async throws {
        let checking = try Checking()
        try await withResponder { query in
            let isWeb = query.bytes.count > 16 && Array(query.bytes[13..<16]) == Array("www".utf8)
            return [.reply(isWeb ? query.answer() : query.answer(rcode: 3, addresses: []))]
        } _: { responder in
            let report = try await checking.run(["a=\(responder.endpoint)"])
            let finding = try report.finding("rewriting", of: "a")
            #expect(finding["judgement"] as? String == "fail")
            #expect(
                finding["conclusion"] as? String
                    == "names that do not exist are sent to 192.0.2.1 where they begin with www"
            )
            #expect((finding["evidence"] as? [Any])?.count == 4)
        }
    }

    @Test func `the check detects missing DNSSEC validation by a forged record`() async throws {
        let checking = try Checking()
        let unbound = try await CheckedUnbound()
        try await withServer(unbound.server()) { validating in
            try await withServer(unbound.server(validating: false)) { careless in
                try await withResponder(script: Self.failing) { failing in
                    let labels = [
                        "a=\(validating.endpoint)", "b=\(careless.endpoint)",
                        "c=\(failing.endpoint)",
                    ]
                    let report = try await checking.run(labels)
                    let findings = try ["a", "b", "c"].map {
                        try report.finding("validation", of: $0)
                    }
                    #expect(
                        findings.map { $0["judgement"] as? String }
                            == ["pass", "fail", "inconclusive"]
                    )
                    let evidence = try #require(findings[0]["evidence"] as? [[String: String]])
                    try #require(evidence.count == 6)
                    #expect(evidence[0]["answer"] == "NOERROR 192.0.2.10 (validated)")
                    let refusal = try #require(evidence[1]["answer"])
                    #expect(refusal.hasPrefix("SERVFAIL (extended error 6 (DNSSEC Bogus)"))
                    #expect(evidence[2]["asked"] == "bad.one.test A with CD")
                    #expect(evidence[2]["answer"] == "NOERROR 192.0.2.67")
                    // The signed name also tests the DO bit, and the large name tests TCP.
                    for check in ["edns", "tcp"] {
                        #expect(
                            try report.finding(check, of: "a")["judgement"] as? String == "pass"
                        )
                    }
                    let large = try #require(
                        try report.finding("tcp", of: "a")["evidence"] as? [[String: String]]
                    )
                    let answer = large.last?["answer"]
                    #expect(answer?.hasPrefix("truncated over UDP, then over TCP") == true)
                }
            }
        }
    }

    @Test func `the check detects private addresses of public names`() async throws {
        let checking = try Checking()
        let records = CheckedUnbound.records
        try await withServer(.unbound(wildcards: [], records: records)) { open in
            let arguments = ["--server=127.0.0.1#\(open.port)", "--stop-dns-rebind"]
            try await withServer(.dnsmasq(domains: [:], arguments: arguments)) { protecting in
                try await withResponder(script: Self.failing) { failing in
                    let judgements = try await checking.judgements(
                        "rebinding",
                        ["a=\(protecting.endpoint)", "b=\(open.endpoint)", "c=\(failing.endpoint)"]
                    )
                    #expect(judgements == ["pass", "fail", "inconclusive"])
                }
            }
        }
    }

    @Test(arguments: [
        "local-zone: \"blocked.test.\" always_null",
        "local-zone: \"blocked.test.\" always_nxdomain",
    ])
    func `the check detects names that a filter blocks`(setting: String) async throws {
        let checking = try Checking()
        let open = Unbound.unbound(wildcards: [], records: CheckedUnbound.records)
        try await withServer(open) { open in
            let records = Array(CheckedUnbound.records.dropLast())
            let blocking = Unbound.unbound(wildcards: [], records: records, settings: [setting])
            try await withServer(blocking) { blocking in
                try await withResponder(script: Self.failing) { failing in
                    let judgements = try await checking.judgements(
                        "filtering",
                        ["a=\(open.endpoint)", "b=\(blocking.endpoint)", "c=\(failing.endpoint)"]
                    )
                    #expect(judgements == ["pass", "fail", "inconclusive"])
                }
            }
        }
    }

    @Test func `the check reports which server answers`() async throws {
        let checking = try Checking()
        let named = Knot.knot(settings: ["identity: \"ams1\"", "nsid: \"ams1-7\""])
        try await withServer(named) { named in
            let settings = ["hide-identity: yes", "hide-version: yes"]
            try await withServer(.unbound(settings: settings)) { hiding in
                try await withResponder(script: { _ in [] }) { silent in
                    let labels = [
                        "a=\(named.endpoint)", "b=\(hiding.endpoint)", "c=\(silent.endpoint)",
                    ]
                    let report = try await checking.run(labels)
                    #expect(
                        try ["a", "b", "c"].map {
                            try report.finding("identity", of: $0)["judgement"] as? String
                        } == ["pass", "fail", "inconclusive"]
                    )
                    #expect(try report.resolver("a")["site"] as? String == "ams1-7")
                    let texts = try #require(
                        try report.finding("identity", of: "a")["evidence"] as? [[String: String]]
                    )
                    #expect(texts[1]["asked"] == "id.server CH TXT")
                    #expect(texts[1]["answer"] == "NOERROR \"ams1\"")
                }
            }
        }
    }
}
