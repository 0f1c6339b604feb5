import Foundation
import Servers
import Testing

/// Rounds that the program sends to a remote-write receiver.
@Suite struct RemoteWriteTests: SamplingTests {
    let folder = TemporaryFolder()

    private func write(_ url: String, _ more: String..., code: Int32 = 0) async throws
        -> CommandOutput
    {
        try await run(
            ["store", "remote-write", "--store", "s.sqlite", "--to", url] + more,
            code: code
        )
    }

    /// Runs `body` while a receiver runs. `body` gets the receiver's URL and a closure that returns the
    /// received requests.
    private func receive(
        _ modes: WriteReceiver.Mode...,
        certificate: Certificate? = nil,
        port: UInt16? = nil,
        _ body: (String, () throws -> [WriteRequest]) async throws -> Void
    ) async throws {
        let log = folder.file("requests")
        try await withServer(WriteReceiver(modes, certificate, log: log), port: port) { server in
            let scheme = certificate == nil ? "http" : "https"
            try await body("\(scheme)://127.0.0.1:\(server.port)/api/v1/write?a=b") {
                try folder.text("requests").split(separator: "\n").map {
                    try JSONDecoder().decode(WriteRequest.self, from: Data($0.utf8))
                }
            }
        }
    }

    @Test func `a p95 in PromQL differs from the report by at most one bucket`() async throws {
        try await Monitoring.receive { monitoring, url in
            // With 70 queries, no percentile rank lies between two queries.
            let watch = try await run(
                ["watch", "--lab", "--rounds", "7", "--interval", "0s", "--store", "s.sqlite"]
                    + ["--vantage", "here", "--remote-write", url]
            )
            #expect(watch.errors == "")
            let report = try await run(["report", "--store", "s.sqlite", "--format", "json"])
            let rows = try #require(try JSON(report.output)["rows"] as? [[String: Any]])
            try #require(rows.count > 3)
            let queries = "dnstempo_query_duration_seconds{phase=\"query\",vantage=\"here\"}"
            func checkAll() async throws {
                let quantiles = try await monitoring.query(
                    "histogram_quantile(0.95, sum by (resolver) (increase(\(queries)[1h])))",
                    count: rows.count
                )
                let timeouts = try await monitoring.query(
                    "sum by (resolver) (sum_over_time(dnstempo_queries_total{outcome=\"timeout\"}[1h]))",
                    count: rows.count
                )
                for row in rows {
                    let name = try #require(row["name"] as? String)
                    let quantile = try #require(quantiles[name])
                    if let exact = row["p95_ms"] as? Double {
                        #expect(abs(quantile * 1000 / exact - 1) < 0.022, "\(name)")
                    } else {
                        #expect(quantile == .infinity, "\(name)")
                    }
                    #expect(timeouts[name] == (row["timeouts"] as? Int).map(Double.init))
                }
            }
            try await checkAll()
            // The receiver rejects rounds that it already has, so no round counts twice.
            let again = try await write(url)
            #expect(again.output.hasPrefix("0 rounds, 0 samples written to 127.0.0.1:"))
            #expect(again.output.contains("; it refused 7 rounds, given up (answered 400: "))
            #expect(again.output.hasSuffix("out of order sample)\n"))
            try await checkAll()
        }
    }

    @Test func `a request follows the specification and is reproducible`() async throws {
        try await receive(.takes) { url, requests in
            let token = try folder.write("s3cret+/=\nmore\n", to: "token")
            for _ in 0..<2 {
                let sampled = try await sample("--remote-write", url, "--remote-write-token", token)
                #expect(sampled.output + sampled.errors == "")
            }
            let head = try #require(try requests().first).head
            #expect(head["content-encoding"] == "snappy")
            #expect(head["content-type"] == "application/x-protobuf")
            #expect(head["x-prometheus-remote-write-version"] == "0.1.0")
            #expect(head["user-agent"]?.hasPrefix("dnstempo/") == true)
            #expect(head["authorization"] == "Bearer s3cret+/=")
            #expect(head["expect"] == nil)
            let written = try await write(url)
            #expect(
                written.output
                    == "2 rounds, 2 samples written to \(url.dropFirst(7).prefix { $0 != "/" })\n"
            )
            let all = try requests()
            #expect(all.map(\.path) == Array(repeating: "/api/v1/write?a=b", count: 3))
            #expect(all[2].head["authorization"] == nil)
            #expect(all[2].points == all[0].points.union(all[1].points))
            #expect(all[2].metrics.contains("dnstempo_query_duration_seconds"))
            for series in all[0].series {
                let labels = series.labels
                #expect(labels["vantage"] != nil)
                guard labels["__name__"] != "dnstempo_last_query_timestamp_seconds" else {
                    continue
                }
                #expect(labels["resolver"] == "meadow" && labels["endpoint"] == "lab:meadow")
                #expect(labels["transport"] == "udp" && labels["series"] == "cached")
                let counts = series.samples.map { $0[1] } + series.histograms.map(\.count)
                let isMet = labels["outcome"] == "answered" || labels["phase"] == "query"
                // The request contains each counter twice: zero before the round, and the round's count after
                // it.
                #expect(counts == [0, isMet ? 1 : 0], "\(labels)")
                let times = series.samples.map { $0[0] } + series.histograms.map(\.time)
                #expect(times.count == 2 && times[1] - times[0] == 1)
            }
            #expect(all[0].series.flatMap(\.histograms).allSatisfy { $0.schema == 5 })
        }
    }

    @Test func `rounds wait for an unreachable receiver, and are sent in order`() async throws {
        let port = try Loopback.freePort()
        for _ in 0..<2 {
            let away = try await sample(
                "--remote-write",
                "http://127.0.0.1:\(port)/api/v1/write?a=b"
            )
            #expect(
                away.errors
                    == "dnstempo: the remote-write receiver at 127.0.0.1:\(port) cannot be reached: "
                    + "Connection refused; the rounds wait in the store\n"
            )
        }
        try await receive(.fails, .takes, port: port) { url, requests in
            let failing = try await sample("--remote-write", url)
            #expect(failing.errors.contains(" answered 500: not \\u{1B}[31mthis; the rounds wait "))
            #expect(!failing.errors.contains("that"))
            #expect(try await sample("--remote-write", url).errors == "")
            #expect(try await sample("--remote-write", url).errors == "")
            #expect(try requests().map(\.rounds) == [3, 4, 1])
            let times = try requests().dropFirst().flatMap(\.times)
            #expect(times == times.sorted() && Set(times).count == 5)
        }
        #expect(try await run(["store", "check", "--store", "s.sqlite"]).output.contains("sound"))
    }

    @Test func `rounds dated in the future are not sent again with each new round`()
        async throws
    {
        let tomorrow = Date(timeIntervalSinceNow: 86_400).formatted(.iso8601)
        let ahead = try Rounds(start: tomorrow, count: 2, vantage: "here").file { _ in .answer(7) }
            .replacing("timeout_ms\n", with: "timeout_ms,origin\n")
            .replacing(",5000\n", with: ",5000,sample\n")
        let file = try folder.write(ahead, to: "ahead.csv")
        _ = try await run(["store", "import", file, "--store", "s.sqlite"])
        try await receive(.takes) { url, requests in
            for _ in 0..<2 {
                _ = try await sample("--vantage", "here", "--remote-write", url)
            }
            #expect(try requests().map(\.rounds) == [1, 1])
        }
    }

    @Test func `a watch reports an unreachable receiver once`() async throws {
        let url = "http://127.0.0.1:\(try Loopback.freePort())/"
        let watch = try await run(
            ["watch", "--lab", "meadow", "-d", "example.com", "--store", "s.sqlite"]
                + ["--rounds", "3", "--interval", "0s", "--remote-write", url]
        )
        #expect(watch.errors.split(separator: "\n").count == 1)
        #expect(watch.output.contains("3 rounds stored"))
    }

    @Test func `a rejected round does not block the next rounds`() async throws {
        for _ in 0..<3 { _ = try await sample() }
        try await receive(.alone) { url, requests in
            let written = try await write(url)
            #expect(written.output.hasPrefix("3 rounds, 3 samples written to "))
            #expect(try requests().map(\.rounds) == [3, 1, 2, 1, 1])
        }
    }

    @Test(arguments: [WriteReceiver.Mode.refuses, .limits])
    func `a rejected round is given up and reported`(mode: WriteReceiver.Mode) async throws {
        try await receive(mode, .takes) { url, requests in
            let refused = try await sample("--remote-write", url)
            let answer = "answered \(mode.rawValue): not \\u{1B}[31mthis"
            #expect(refused.errors.hasSuffix(" refused 1 round, given up (\(answer))\n"))
            #expect(try await sample("--remote-write", url).errors == "")
            #expect(try requests().map(\.rounds) == [1, 1])
        }
    }

    @Test(arguments: [
        (
            mode: WriteReceiver.Mode.lacks, code: Int32(78),
            words: "answered 404: not \\u{1B}[31mthis: "
        ),
        (.forbids, 78, "answered 403: "), (.elsewhere, 78, "answered 307: "),
        (.fails, 75, "answered 500: "), (.endless, 75, "answered 500: xxxx"),
    ])
    func `an error response of the receiver is reported in one line`(
        mode: WriteReceiver.Mode,
        code: Int32,
        words: String
    ) async throws {
        _ = try await sample()
        try await receive(mode) { url, requests in
            let failed = try await write(url, code: code)
            #expect(failed.errors.contains(words))
            #expect(failed.errors.split(separator: "\n").count == 1 && failed.errors.count < 400)
            #expect(try requests().count == 1)
        }
    }

    @Test func `an untrusted certificate is rejected`() async throws {
        _ = try await sample()
        let (_, _, certificate) = try await ThrowawayAuthority.certified("receiver.example")
        try await receive(.takes, certificate: certificate) { url, requests in
            let failed = try await write(url, code: 75)
            #expect(failed.errors.contains("cannot be reached: SSL certificate problem"))
            #expect(try requests().isEmpty)
        }
    }

    @Test(arguments: [
        (
            url: "prometheus:9090/api/v1/write",
            words: "'prometheus:9090/api/v1/write' is no URL of a"
        ),
        ("http://", "is no URL of a"), ("ftp://127.0.0.1/", "is no URL of a"),
        ("http://127.0.0.1:0/", "is no URL of a"), ("http://127.0.0.1:99999/", "is no URL of a"),
        ("http://[::1/", "is no URL of a"), ("http://::1/", "is no URL of a"),
        ("http://127.0.0.1/a b", "is no URL of a"), ("http://127.0.0.1/#x", "is no URL of a"),
        ("http://me:secret@127.0.0.1/", "credentials, which everybody here can read"),
        ("http://192.0.2.1:9090/", "192.0.2.1:9090 is outside the allowed networks"),
        ("https://[2001:db8::1]/", "[2001:db8::1] is outside the allowed networks"),
        ("http://prometheus.example/", "'prometheus.example' is a host name"),
    ])
    func `an invalid or forbidden receiver is rejected before any query`(
        url: String,
        words: String
    ) async throws {
        // No machine has a nameserver in these networks.
        let nowhere = ["DNSTEMPO_ALLOW_NET": "127.9.9.0/24,127.0.0.1/32,::1/128"]
        for command in [
            ["sample", "--lab", "meadow", "--store", "s.sqlite", "--remote-write", url],
            ["schedule", "print", "--every", "5m", "127.0.0.1:5399", "--remote-write", url],
        ] {
            let refused = try await run(command, environment: nowhere, code: 64)
            #expect(refused.errors.contains(words), "\(refused.errors)")
            #expect(refused.errors.split(separator: "\n").count == 1)
            #expect(!refused.errors.contains("secret"))
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file("s.sqlite")))
    }

    @Test func `a token is sent only to its receiver and comes from a file`() async throws {
        let token = try folder.write("secret\n", to: "token")
        let bad = try folder.write("two words\n", to: "bad")
        let here = "http://127.0.0.1:9/"
        let open = try await run(
            ["sample", "--lab", "meadow", "--store", "s.sqlite"]
                + ["--remote-write", "http://192.0.2.1/", "--remote-write-token", token],
            environment: ["DNSTEMPO_ALLOW_NET": "192.0.2.0/24,127.0.0.0/8"],
            code: 64
        )
        #expect(open.errors.contains("write https:// into the URL"))
        for (path, code) in [(bad, Int32(65)), (folder.file("gone"), 66)] {
            let failed = try await sample(
                "--remote-write",
                here,
                "--remote-write-token",
                path,
                code: code
            )
            #expect(failed.errors.contains("'\(path)'"))
        }
        let alone = try await sample("--remote-write-token", token, code: 64)
        #expect(alone.errors.contains("add --remote-write URL"))
    }

    @Test func `a schedule keeps the receiver and the path of its token`() async throws {
        _ = try folder.write("secret\n", to: "token")
        let printed = try await run(
            ["schedule", "print", "--every", "5m", "127.0.0.1:5399"]
                + ["--remote-write", "http://127.0.0.1:9090/x", "--remote-write-token", "token"]
        )
        #expect(
            printed.output.contains(
                "--remote-write http://127.0.0.1:9090/x --remote-write-token \(folder.path)/token"
            )
        )
    }

    @Test func `a remote write without a store is rejected`() async throws {
        try await expectRefusedWithoutStore("--remote-write", "http://127.0.0.1:9/")
    }
}
