import Servers
import Testing

/// The checks of the servers behind a resolver and of the path to it.
@Suite struct CheckPathTests {
    private func telling(_ texts: String...) -> Unbound {
        .unbound(wildcards: [], records: texts.map { "whoami.test. 60 IN TXT \"\($0)\"" })
    }

    @Test func `a check finds a resolver's egress address and its use of ECS`() async throws {
        let checking = try Checking()
        try await withServer(telling("192.0.2.53")) { own in
            let leaking = telling("192.0.2.54", "edns0-client-subnet 198.51.100.0/24")
            try await withServer(leaking) { leaking in
                try await withServer(.unbound(wildcards: [])) { quiet in
                    let one = "a=\(own.endpoint)"
                    let labels = [one, "b=\(leaking.endpoint)", "c=\(quiet.endpoint)"]
                    let subnets = try await checking.judgements("ecs", labels)
                    #expect(subnets == ["pass", "fail", "inconclusive"])
                    // Two labels of one server count as one resolver.
                    let alone = labels + ["again=\(own.endpoint)"]
                    let places = try await checking.judgements("egress", alone)
                    #expect(places == ["pass", "pass", "inconclusive", "pass"])
                }
            }
        }
    }

    @Test func `dnsdist forwards the client subnet only if it is configured to`() async throws {
        let checking = try Checking()
        // This server reports the source address and the client subnet (RFC 7871 §6).
        let telling: ScriptedResponder.Script = { query in
            let subnet = query.clientSubnet.map { ["edns0-client-subnet \($0)"] } ?? []
            return [.reply(query.answer(texts: ["192.0.2.53"] + subnet))]
        }
        try await withResponder(script: telling) { telling in
            try await withResponder(script: { [.reply($0.answer(texts: []))] }) { mute in
                try await withServer(.dnsdist(delays: [0], backend: telling.endpoint)) { quiet in
                    let leaking = Dnsdist.dnsdist(
                        delays: [0],
                        sendsClientSubnet: true,
                        backend: telling.endpoint
                    )
                    try await withServer(leaking) { leaking in
                        try await withServer(.dnsdist(delays: [0], backend: mute.endpoint)) {
                            unclear in
                            let report = try await checking.run([
                                "a=\(quiet.endpoint)", "b=\(leaking.endpoint)",
                                "c=\(unclear.endpoint)",
                            ])
                            let findings = try ["a", "b", "c"].map {
                                try report.finding("ecs", of: $0)
                            }
                            #expect(
                                findings.map { $0["judgement"] as? String }
                                    == ["pass", "fail", "inconclusive"]
                            )
                            #expect(
                                findings[1]["conclusion"] as? String
                                    == "it passes on the client network 127.0.0.0/24"
                            )
                        }
                    }
                }
            }
        }
    }

    @Test func `a resolver with another resolver's egress address fails the check`() async throws {
        let checking = try Checking()
        try await withServer(telling("192.0.2.53")) { one in
            try await withServer(
                .dnsmasq(domains: [:], arguments: ["--server=127.0.0.1#\(one.port)"])
            ) { forwarder in
                let report = try await checking.run([
                    "router=\(forwarder.endpoint)", "far=\(one.endpoint)",
                ])
                let finding = try report.finding("egress", of: "router")
                #expect(finding["judgement"] as? String == "fail")
                #expect(
                    finding["conclusion"] as? String
                        == "it queries others from 192.0.2.53, as does far: both are one resolver"
                )
            }
        }
    }

    @Test func `the interception check passes, fails or is inconclusive`() async throws {
        try await withServer(.unbound()) { resolver in
            try await withResponder(script: { _ in [] }) { silent in
                for (place, judgement) in [
                    ("\(silent.endpoint)", "pass"), ("\(resolver.endpoint)", "fail"),
                    ("192.0.2.1", "inconclusive"),
                ] {
                    let checking = try Checking(replacing: "192.0.2.1", with: place)
                    let found = try await checking.judgements(
                        "interception",
                        ["a=\(resolver.endpoint)"]
                    )
                    #expect(found == [judgement])
                }
            }
        }
    }

    @Test func `a server that rejects TCP fails, a dropped answer is inconclusive`() async throws {
        let checking = try Checking()
        let records = ["one.test. 300 IN A 192.0.2.1"]
        try await withServer(.unbound(wildcards: records)) { whole in
            let datagramsAlone = Unbound.unbound(wildcards: records, answersTCP: false)
            try await withServer(datagramsAlone) { withoutTCP in
                try await withResponder(script: { query in
                    // The type of the question. TXT is 16.
                    query.question.suffix(4).starts(with: [0, 16]) ? [] : [.reply(query.answer())]
                }) { withoutLarge in
                    let found = try await checking.judgements(
                        "tcp",
                        [
                            "a=\(whole.endpoint)", "b=\(withoutTCP.endpoint)",
                            "c=\(withoutLarge.endpoint)",
                        ]
                    )
                    #expect(found == ["pass", "fail", "inconclusive"])
                }
            }
        }
    }

    @Test func `a truncated large answer without TCP fails the check`() async throws {
        let checking = try Checking()
        try await withResponder(script: { query in
            let isText = query.question.suffix(4).starts(with: [0, 16])
            if query.transport == .tcp { return isText ? [.close] : [.reply(query.answer())] }
            return [.reply(query.answer(truncated: isText, addresses: []))]
        }) { responder in
            let report = try await checking.run(["a=\(responder.endpoint)"])
            let finding = try report.finding("tcp", of: "a")
            #expect(finding["judgement"] as? String == "fail")
            #expect(
                finding["conclusion"] as? String
                    == "answers too large for UDP cannot be fetched over TCP"
            )
        }
    }

    @Test func `the EDNS check passes, fails or is inconclusive`() async throws {
        let checking = try Checking()
        let signed = Knot.knot(zone: "one.test.", records: ["good A 192.0.2.10"], isSigned: true)
        try await withServer(signed) { signed in
            let unsigned = Knot.knot(zone: "one.test.", records: ["good A 192.0.2.10"])
            try await withServer(unsigned) { unsigned in
                // This server has no record of the test name.
                try await withServer(.knot()) { elsewhere in
                    try await withResponder(script: { [.reply($0.answer())] }) { plain in
                        let report = try await checking.run([
                            "a=\(signed.endpoint)", "b=\(unsigned.endpoint)",
                            "c=\(plain.endpoint)", "d=\(elsewhere.endpoint)",
                        ])
                        let findings = try ["a", "b", "c", "d"].map {
                            try report.finding("edns", of: $0)
                        }
                        #expect(
                            findings.map { $0["judgement"] as? String }
                                == ["pass", "fail", "fail", "inconclusive"]
                        )
                        #expect(
                            findings.map { $0["conclusion"] as? String } == [
                                "it answers with EDNS and the signatures that were asked for",
                                "it answers with EDNS, but leaves out the signatures that were "
                                    + "asked for",
                                "it answers without EDNS", "the test name does not resolve",
                            ]
                        )
                    }
                }
            }
        }
    }
}
