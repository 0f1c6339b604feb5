import Servers
import Testing

/// The output, errors and files of `check`.
@Suite struct CheckCommandTests {
    @Test(arguments: try BadInput.cases("check"))
    func `the error names the unusable argument`(input: BadInput) async throws {
        try await input.check()
    }

    @Test func `the lab's rewriting resolver is detected in all output formats`() async throws {
        let folder = TemporaryFolder()
        let run = try await Command.succeedSilently(
            ["check", "--lab", "hostile", "honest", "rewriting", "-o", "c.json", "-o", "c.html"],
            in: folder.path
        )
        #expect(
            run.output.hasPrefix(
                """
                rewriting failed 1 check; honest passed all checks.

                check         honest        rewriting
                rewriting     pass          FAIL
                validation    pass          pass

                """
            )
        )
        #expect(
            run.output.contains(
                "\n  rewriting, FAIL: names that do not exist are sent to 198.51.100.80.\n"
            )
        )
        // Interception concerns the path, so the report mentions it once for all resolvers.
        #expect(run.output.matches(of: /interception, inconclusive/).count == 1)
        #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
        let page = folder.text("c.html")
        #expect(page.contains("honest (127.0.0.1:") && page.contains(">honest failed none.<"))
        let json = try JSON(folder.text("c.json"))
        #expect(json["schema"] as? String == "dnstempo.check/1")
        #expect(try json.finding("rewriting", of: "rewriting")["judgement"] as? String == "fail")
        #expect(try json.resolver("honest")["answers"] as? Bool == true)
        #expect(try json.resolver("honest")["site"] as? String == "honest")
    }

    @Test func `honest resolvers of the lab pass, and the conclusion comes first`() async throws {
        let gate = ["--fail-if", "failed-checks > 0"]
        let run = try await Command.succeedSilently(["check", "--lab"] + gate)
        #expect(run.output.hasPrefix("All 6 resolvers passed all checks.\n\ncheck  "))
        let one = try await Command.run(["check", "--lab", "default", "brook"] + gate)
        #expect(one.code == 0 && one.output.hasPrefix("brook passed all checks.\n"))
        let two = try await Command.run(["check", "--lab", "brook", "meadow"])
        #expect(two.output.hasPrefix("Both resolvers passed all checks.\n"))
    }

    @Test(arguments: [
        (
            ["honest:failed-checks>0", "rewriting:failed-checks >= 1"],
            "'rewriting:failed-checks >= 1' holds: rewriting has failed-checks 1"
        ),
        (["failed-checks > 1"], nil),
    ])
    func `a condition that holds gives exit code 1`(
        conditions: [String],
        reason: String?
    ) async throws {
        let run = try await Command.run(
            ["check", "--lab", "hostile", "honest", "rewriting", "--format", "json"]
                + conditions.flatMap { ["--fail-if", $0] }
        )
        #expect(run.code == (reason == nil ? 0 : 1))
        #expect(run.errors == (reason.map { "dnstempo: --fail-if \($0)\n" } ?? ""))
        #expect(try JSON(run.output)["schema"] as? String == "dnstempo.check/1")
    }

    @Test func `a silent resolver counts as unchecked and gives exit code 1`() async throws {
        let run = try await Command.run([
            "check", "--lab", "hostile", "silent", "honest", "--fail-if",
            "silent:failed-checks > 9",
        ])
        #expect(run.code == 1)
        #expect(run.output.hasPrefix("silent does not answer; honest passed all checks.\n"))
        #expect(run.errors.hasSuffix("holds: silent does not answer\n"))
    }

    @Test func `a silent resolver is queried only twice`() async throws {
        try await withResponder(script: { _ in [] }) { silent in
            let run = try await Command.run(["check", "\(silent.endpoint)", "--timeout", "50ms"])
            #expect(run.code == 69)
            #expect(
                run.errors
                    == "dnstempo: no resolver answered; is there a network, and are they resolvers?\n"
            )
            #expect(run.output.hasPrefix("No resolver answered.\n\n"))
            #expect(run.output.contains("It does not answer: asked . SOA with NSID: no answer."))
            // The last query may still be in flight.
            #expect(try await eventually { silent.queries.count >= 2 })
            #expect(silent.queries.count == 2)
        }
    }

    @Test func `a server's own text cannot control the terminal`() async throws {
        try await withResponder(script: { query in
            // The data of a TXT record: a length byte, and a text of three bytes that begins with an escape
            // character.
            let text: [UInt8] = [3, 0x1B, 0x5B, 0x6D]
            let isText = query.question.suffix(4).starts(with: [0, 16])
            guard isText else { return [.reply(query.answer())] }
            var answer = query.answer(addresses: [])
            answer[7] = 1
            answer += [0xc0, 12, 0, 16] + query.question.suffix(2) + [0, 0, 0, 1, 0, 4] + text
            return [.reply(answer)]
        }) { responder in
            let run = try await Command.succeed(["check", "\(responder.endpoint)", "--rate", "500"])
            #expect(run.output.contains("it calls itself \"\\027[m\""))
            #expect(!run.bytes.contains(0x1B))
        }
    }

    @Test func `an interrupted check prints its findings so far`() async throws {
        try await withResponder(script: { _ in [] }) { silent in
            let arguments = ["check", "\(silent.endpoint)", "--timeout", "60s"]
            try await Binary.withRunning(arguments) { process, files in
                while silent.queries.isEmpty { await Task.yield() }
                process.send(signal: 2)
                let status = await process.end()
                #expect(status == .code(130))
                #expect(files.text("output").hasPrefix("No resolver answered.\n\ncheck  "))
                #expect(files.text("errors") == "")
            }
        }
    }
}
