import Foundation
import Servers
import Testing

/// Answers that are compared with the expected answers.
@Suite struct ExpectationTests {
    private static let rate = ["--rounds", "3", "--rate", "50", "--no-store", "--no-check"]

    private func compare(_ arguments: [String]) async throws -> CommandOutput {
        try await Command.run(["compare"] + arguments + Self.rate)
    }

    @Test func `an unexpected answer is a failure without a latency`() async throws {
        try await withServer(.dnsmasq(domains: ["example.org": "192.0.2.7"])) { right in
            try await withServer(.dnsmasq(domains: ["example.org": "198.51.100.80"])) { other in
                let folder = TemporaryFolder()
                let asked = [
                    "right=\(right.endpoint)", "other=\(other.endpoint)", "-d", "www.example.org",
                    "--expect", "WWW.example.org A 192.0.2.7", "--samples", folder.file("s.csv"),
                ]
                let run = try await compare(
                    asked + ["--format", "json", "-o", folder.file("x.csv")]
                )
                #expect(run.code == 0, "\(run.errors)")
                let summary = Table(folder.text("x.csv"))
                let counts = summary.rows.filter { summary[$0, "name"] == "other" }.map { row in
                    ["sent", "answered", "wrong"].map { summary[row, $0] }
                }
                #expect(counts == [["3", "0", "3"]])
                let report = try JSON(run.output)
                #expect(try report.resolver("right")["answered"] as? Int == 3)
                let row = try report.resolver("other")
                #expect(row["answered"] as? Int == 0)
                #expect((row["failures"] as? [String: Int])?["wrong"] == 3)
                #expect(row["failure_rate"] as? Double == 1)
                #expect(row["min_ms"] as? Double == nil)

                let samples = try String(contentsOfFile: folder.file("s.csv"), encoding: .utf8)
                let table = Table(samples)
                let wrong = table.rows.filter { table[$0, "outcome"] == "wrong" }
                #expect(wrong.count == 3)
                #expect(wrong.allSatisfy { table[$0, "resolver"] == "other" })
                #expect(wrong.allSatisfy { table[$0, "rcode"] == "NOERROR" })
                #expect(samples.contains("wrong answer: 198.51.100.80, expected 192.0.2.7"))
                let text = try await Command.run(["report", folder.file("s.csv")])
                #expect(text.output.contains("3 wrong"))
                #expect(text.output.contains("3 of 6 queries had other answers than expected"))

                let failed = try await compare(asked + ["--fail-if", "other:wrong > 0"])
                #expect(failed.code == 1)
                #expect(failed.errors.contains("holds: other has wrong 3"))
                let held = try await compare(asked + ["--fail-if", "right:wrong > 0"])
                #expect(held.code == 0, "\(held.errors)")
            }
        }
    }

    @Test(arguments: ["udp", "tcp"])
    func `an answer that is truncated over TCP is malformed`(transport: String) async throws {
        try await withResponder { query in
            let isCut = query.question.dropFirst().starts(with: Array("cut".utf8))
            return [.reply(query.answer(truncated: isCut))]
        } _: { responder in
            let folder = TemporaryFolder()
            let campaign = try folder.write(
                """
                domains = ["cut.test", "whole.test"]
                [[resolver]]
                name = "it"
                address = "\(transport)://\(responder.endpoint)"
                [[expect]]
                name = "cut.test"
                rcode = "NOERROR"
                """,
                to: "c.toml"
            )
            let run = try await compare(["--campaign", campaign, "--samples", folder.file("s.csv")])
            #expect(run.code == 0, "\(run.errors)")
            let table = Table(try String(contentsOfFile: folder.file("s.csv"), encoding: .utf8))
            for row in table.rows {
                let isCut = table[row, "name"] == "cut.test"
                #expect(table[row, "outcome"] == (isCut ? "malformed" : "answered"))
                #expect(table[row, "rcode"] == "NOERROR")
                #expect(table[row, "detail"] == (isCut ? "the answer is truncated" : ""))
            }
            #expect(table.rows.count == 6)
        }
    }

    private static let rightAnswers = """
        [[expect]]
        name = "a.example.org"
        answers = ["192.0.2.2", "192.0.2.1"]
        [[expect]]
        name = "c.example.org"
        min-count = 2
        [[expect]]
        name = "M.example.org"
        type = "MX"
        answers = "10 A.example.org."
        count = 1
        [[expect]]
        name = "t.example.org"
        type = "TXT"
        matches = '^"v=spf1 .*all"$'
        [[expect]]
        name = "none.example.org"
        rcode = "NXDOMAIN"
        """

    @Test func `a campaign can expect counts, texts, patterns and response codes`() async throws {
        let records = [
            "a A 192.0.2.1", "a A 192.0.2.2", "m MX 10 a", "t TXT \"v=spf1 -all\"", "c CNAME a",
        ]
        try await withServer(.knot(records: records)) { server in
            let folder = TemporaryFolder()
            func campaign(_ tables: String) throws -> String {
                try folder.write(
                    """
                    domains = ["a.example.org", "m.example.org", "t.example.org", "c.example.org",
                        "none.example.org"]
                    types = ["A", "MX", "TXT"]
                    [[resolver]]
                    name = "it"
                    address = "\(server.endpoint)"

                    """ + tables,
                    to: "c.toml"
                )
            }
            let right = try campaign(Self.rightAnswers)
            let run = try await compare(["--campaign", right, "--format", "json"])
            #expect(run.code == 0, "\(run.errors)")
            let row = try JSON(run.output).resolver("it")
            #expect(row["answered"] as? Int == 45)
            let wrong = try campaign(
                """
                [[expect]]
                name = "a.example.org"
                count = 1
                [[expect]]
                name = "none.example.org"
                type = "MX"
                rcode = "NOERROR"
                """
            )
            // The command line overrides the campaign.
            for (more, count) in [
                ([], 6), (["--expect", "a.example.org A 192.0.2.1 192.0.2.2"], 3),
                (
                    ["--expect", "a.example.org A 192.0.2.1"]
                        + ["--expect", "a.example.org A 192.0.2.2"], 3
                ),
            ] {
                let run = try await compare(["--campaign", wrong, "--format", "json"] + more)
                let failures = try JSON(run.output).resolver("it")["failures"] as? [String: Int]
                #expect(failures?["wrong"] == count)
            }
        }
    }

    @Test func `an expected response code counts as an answer`() async throws {
        try await withResponder { query in
            [.reply(query.answer(rcode: 5, addresses: []))]
        } _: { responder in
            let folder = TemporaryFolder()
            let campaign = try folder.write(
                """
                domains = ["example.org"]
                [[resolver]]
                name = "it"
                address = "\(responder.endpoint)"
                [[expect]]
                name = "example.org"
                rcode = "REFUSED"
                """,
                to: "c.toml"
            )
            let run = try await compare(["--campaign", campaign, "--format", "json"])
            #expect(run.code == 0, "\(run.errors)")
            #expect(try JSON(run.output).resolver("it")["answered"] as? Int == 3)
        }
    }

    @Test func `wrong answers are kept in a store and in its hourly sums`() async throws {
        try await withServer(.dnsmasq(domains: ["example.org": "192.0.2.7"])) { server in
            let folder = TemporaryFolder()
            let store = folder.file("s.sqlite")
            for address in ["192.0.2.7", "192.0.2.8"] {
                try await Command.succeed([
                    "sample", "it=\(server.endpoint)", "-d", "example.org", "--store", store,
                    "--expect", "example.org A \(address)", "--no-check", "--rate", "50",
                ])
            }
            let check = try await Command.run(["store", "check", "--store", store])
            #expect(check.code == 0, "\(check.output)\(check.errors)")
            let csv = try await Command.run(["report", store, "--format", "csv"])
            #expect(Table(csv.output).column("answered") == ["1"])
            #expect(Table(csv.output).column("wrong") == ["1"])
            let sums = Table(try await Command.run(["export", store, "--rollups"]).output)
            #expect(sums.column("wrong").last == "1")
        }
    }

    private static let question = "write a name, a type and an answer, as 'a.example A 192.0.2.1'"

    @Test(arguments: try BadInput.cases("expectations"))
    func `an impossible expectation is rejected`(input: BadInput) async throws {
        try await input.check()
    }
}
