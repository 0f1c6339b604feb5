import Foundation
import Servers
import Testing

/// Notices to web services about a resolver that may be silent. Each round also queries a second resolver,
/// which always answers.
@Suite(.timeLimit(.minutes(2))) struct WebNoticeTests {
    private struct Request {
        let path: String
        let head: [String: String]
        let body: Any

        /// A member of the body, which is an object.
        subscript(key: String) -> Any? { (body as? [String: Any])?[key] }
    }

    private let folder = TemporaryFolder()

    private var store: StoredFile { StoredFile(folder.file("s.sqlite")) }

    /// The rounds of two resolvers. The second resolver can be silent.
    private struct Rounds {
        let resolvers: [String]
        let flag: FlagFile
        let folder: String

        func callAsFunction(_ isSilent: Bool, _ options: [String]) async throws -> CommandOutput {
            flag.isSet = isSilent
            let run = try await Binary.run(
                ["sample", "-d", "example.com", "-d", "example.org", "--timeout", "2s"]
                    + ["--store", "s.sqlite", "--vantage", "<home>"] + resolvers + options,
                in: folder
            )
            #expect(run.code == 0 && run.output == "")
            return run
        }
    }

    /// Runs `body` with the URL of a receiver of notices.
    private func withReceiver(
        _ modes: NoticeReceiver.Mode...,
        body: (_ url: String, _ round: Rounds) async throws -> Void
    ) async throws {
        try await withServer(NoticeReceiver(modes, log: folder.file("requests"))) { receiver in
            try await withRounds { try await body("http://127.0.0.1:\(receiver.port)", $0) }
        }
    }

    private func withRounds(_ body: (_ round: Rounds) async throws -> Void) async throws {
        try await withSilencedResolver(in: folder) { good, bad, flag in
            let resolvers = ["good=\(good)", "b_ad=\(bad)"]
            try await body(Rounds(resolvers: resolvers, flag: flag, folder: folder.path))
        }
    }

    private func requests() throws -> [Request] {
        try folder.text("requests").split(separator: "\n").map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            let request = try #require(object as? [String: Any])
            return Request(
                path: try #require(request["path"] as? String),
                head: try #require(request["head"] as? [String: String]),
                body: try #require(request["body"])
            )
        }
    }

    @Test func `each form gets each event once`() async throws {
        try await withReceiver(.takes) { url, round in
            let secret = try folder.write("\(url)/topic\ntk_secret\n", to: "ntfy")
            let options =
                ["\(url)/json", "slack=\(url)/slack", "discord=\(url)/discord", "ntfy=@\(secret)"]
                .flatMap { ["--notify-url", $0] }
            for isSilent in [false, true, true, true, false, false, false] {
                #expect(try await round(isSilent, options).errors == "")
            }
            let requests = try requests()
            #expect(
                requests.map(\.path) == ["/json", "/slack", "/discord", "/", "/json", "/slack"]
                    + ["/discord", "/"]
            )
            #expect(requests.allSatisfy { $0.head["content-type"] == "application/json" })
            try #require(requests.count == 8)
            let notices = try #require(requests[0]["notices"] as? [[String: Any]])
            #expect(notices.map { $0["kind"] as? String } == ["unreachable"])
            #expect(requests[0]["schema"] as? String == "dnstempo.notice/1")
            let slack = try #require(requests[1]["text"] as? String)
            #expect(slack.hasPrefix("*b_ad is unreachable*\nb_ad ("))
            let discord = try #require(requests[2]["content"] as? String)
            #expect(discord.hasPrefix(#"**b\_ad is unreachable**"#))
            let mentions = requests[2]["allowed_mentions"] as? [String: [String]]
            #expect(mentions == ["parse": []])
            #expect(requests[3]["topic"] as? String == "topic")
            #expect(requests[3]["title"] as? String == "b_ad is unreachable")
            #expect(requests[3]["priority"] as? Int == 4)
            #expect(requests[3]["tags"] as? [String] == ["warning"])
            #expect(requests[3].head["authorization"] == "Bearer tk_secret")
            #expect(requests[7]["tags"] as? [String] == ["white_check_mark"])
            // The store does not contain the URL of a service, which may be a secret.
            let receivers = try await store.query("SELECT receiver FROM outbox")
            #expect(receivers.contains("ntfy ") && !receivers.contains("topic"))
        }
    }

    @Test func `a notice waits in the store until the service accepts it`() async throws {
        try await withReceiver(.isBusy, .isBusy, .takes) { url, round in
            let options = ["--notify-url", url]
            var errors: [String] = []
            for isSilent in [false, true, true, true, true, true] {
                errors.append(try await round(isSilent, options).errors)
                // The pause after a failed attempt is over.
                try await store.query("UPDATE outbox SET due = 0")
            }
            let warning =
                "--notify-url: json at \(url.dropFirst(7)): answered 503: not \\u{1B}[31mnow; the notice "
                + "waits in the store"
            #expect(errors[2].contains(warning))
            #expect(errors.count { !$0.isEmpty } == 1)
            let requests = try requests()
            #expect(requests.count == 3)
            #expect(Set(requests.map { $0["time"] as? String }).count == 1)
        }
    }

    @Test func `a notice waits while the service cannot be reached`() async throws {
        let port = try Loopback.freePort()
        let options = ["--notify-url", "http://127.0.0.1:\(port)"]
        try await withRounds { round in
            var errors = ""
            for isSilent in [false, true, true] {
                errors += try await round(isSilent, options).errors
            }
            #expect(errors.contains("cannot be reached (Connection refused); the notice waits"))
            try await store.query("UPDATE outbox SET due = 0")
            let receiver = NoticeReceiver([.takes], log: folder.file("requests"))
            let run = try await withServer(receiver, port: port) { _ in
                try await round(true, options)
            }
            #expect(run.errors == "")
            #expect(try requests().count == 1)
        }
    }

    @Test(arguments: [
        (NoticeReceiver.Mode.isSilent, "no answer after the notice was sent (Empty reply"),
        (.lacks, "answered 404: not \\u{1B}[31mnow: see its URL, and its token"),
    ])
    func `a notice that may have arrived or is refused is not sent again`(
        mode: NoticeReceiver.Mode,
        warning: String
    ) async throws {
        try await withReceiver(mode) { url, round in
            var errors = ""
            for isSilent in [false, true, true, true, true] {
                errors += try await round(isSilent, ["--notify-url", url]).errors
                try await store.query("UPDATE outbox SET due = 0")
            }
            #expect(errors.contains(warning) && errors.contains("; the notice is given up"))
            #expect(try requests().count == 1)
        }
    }

    @Test func `an attempt that was interrupted is not repeated`() async throws {
        try await withReceiver(.isBusy, .takes) { url, round in
            let options = ["--notify-url", url]
            for isSilent in [false, true, true] { _ = try await round(isSilent, options) }
            // The program was ended between the beginning of the attempt and its result.
            try await store.query("UPDATE outbox SET state = 1, due = 0")
            let errors = try await round(true, options).errors
            #expect(errors.contains("1 notice not sent again, because an attempt was interrupted"))
            try await store.query("UPDATE outbox SET due = 0")
            #expect(try await round(true, options).errors == "")
            #expect(try requests().count == 1)
        }
    }

    @Test func `a notice is given up after a day`() async throws {
        try await withReceiver(.isBusy) { url, round in
            let options = ["--notify-url", url]
            for isSilent in [false, true, true] { _ = try await round(isSilent, options) }
            try await store.query(
                "UPDATE outbox SET created = created - 86400 * 1000000000, due = 0"
            )
            #expect(try await round(true, options).errors.contains("1 notice given up after 24 h"))
            #expect(try requests().count == 1)
        }
    }

    @Test func `Alertmanager has the alert until the resolver responds again`() async throws {
        try await withServer(Alertmanager()) { server in
            let url = "http://127.0.0.1:\(server.port)"
            func alerts() async throws -> [[String: Any]] {
                let run = try await Program("curl", package: "curl")
                    .run(["-sS", "\(url)/api/v2/alerts"])
                let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
                return try #require(object as? [[String: Any]], "\(run.output)\(run.errors)")
            }
            try await withRounds { round in
                let options = ["--notify-url", "alertmanager=\(url)"]
                for isSilent in [false, true, true] {
                    #expect(try await round(isSilent, options).errors == "")
                }
                let alert = try #require(try await alerts().first)
                let labels = try #require(alert["labels"] as? [String: String])
                #expect(labels["alertname"] == "DNSResolverUnreachable")
                #expect(labels["resolver"] == "b_ad" && labels["severity"] == "critical")
                let status = try #require(alert["status"] as? [String: Any])
                #expect(
                    status["state"] as? String == "active"
                        || status["state"] as? String == "unprocessed"
                )
                for _ in 1...2 { #expect(try await round(false, options).errors == "") }
                #expect(try await alerts().isEmpty)
            }
        }
    }

    @Test(arguments: [
        ("ftp://a.example", "write a URL, FORM=URL or FORM=@FILE"),
        ("teams=https://a.example", "FORM is one of json, slack, discord, ntfy, alertmanager"),
        ("ntfy=https://a.example", "'a.example' needs a topic: write ntfy=https://HOST/TOPIC"),
        ("https://me:secret@a.example", "the URL of a receiver of notices has credentials"),
        ("slack=http://192.0.2.1/a", "the receiver of notices at 192.0.2.1 is outside the allowed"),
        ("@missing", "'missing'"),
        ("@empty", "'empty': write the URL into its first line"),
    ])
    func `the error names an unusable receiver`(word: String, message: String) async throws {
        try folder.write("", to: "empty")
        let run = try await Binary.run(
            ["sample", "--lab", "--store", "s.sqlite", "--notify-url", word],
            environment: ["DNSTEMPO_ALLOW_NET": "127.0.0.0/8,::1/128"],
            in: folder.path
        )
        #expect(run.code != 0 && run.errors.contains(message), "\(run.errors)")
        #expect(!run.errors.contains("secret"))
        #expect(run.errors.split(separator: "\n").count == 1)
    }
}
