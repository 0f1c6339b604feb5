import Foundation
import Servers
import Testing

/// Reports and dashboard pages on resolvers that were queried over several transports.
@Suite struct TransportHistoryTests {
    /// Ten days of rounds, half an hour apart. Two resolvers are queried over UDP. The resolver near is also
    /// queried over TLS, on kept connections and with first queries. Connecting takes 12 ms, the handshake
    /// 30 ms, and the first query 14 ms.
    private static let samples: String = {
        let header =
            "run,round,scheduled,sent,vantage,resolver,endpoint,transport,series,name,type,outcome,"
            + "rtt_ms,connect_ms,handshake_ms,timeout_ms,connection"
        let asked = [
            ("near", "192.0.2.1:53,udp,cached", 12.0, ",", ""),
            ("near", "192.0.2.1:853,tls,cached", 14, ",", "reused"),
            ("near", "192.0.2.1:853,tls,first", 14, "12,30", "new"),
            ("mid", "192.0.2.2:53,udp,cached", 18, ",", ""),
        ]
        let begin = Date(timeIntervalSince1970: 1_773_619_200)
        let rows = (0..<480).flatMap { round in
            asked.map { label, target, time, opening, use in
                let moment = begin.addingTimeInterval(Double(round) * 1800).formatted(.iso8601)
                let cells = [
                    "r", "\(round + 1)", moment, moment, "desk", label, target, "example.com", "A",
                    "answered", "\(time + Double(round % 10) / 100)", opening, "5000", use,
                ]
                return cells.joined(separator: ",")
            }
        }
        return ([header] + rows).joined(separator: "\n") + "\n"
    }()

    private static let window = ["--since", "2026-03-16", "--until", "2026-03-26"]

    @Test(arguments: ["s.sqlite", "s.csv"])
    func `a report shows the costs of encryption and of connections`(file: String) async throws {
        let folder = TemporaryFolder()
        try folder.write(Self.samples, to: "s.csv")
        try await Command.succeed(
            ["store", "import", "s.csv", "--store", "s.sqlite"],
            in: folder.path
        )
        let origin = file.hasSuffix("csv") ? [] : ["--origin", "import"]
        let report = ["report", file] + origin + Self.window
        let run = try await Command.succeedSilently(
            report + ["-o", "r.html", "-o", "r.json"],
            environment: ["TZ": "UTC"],
            in: folder.path
        )
        let table = #/near +udp +cached +12\.\d ms.*\n +tls +cached +1[34]\.\d ms.*\n +mid +udp/#
        #expect(run.output.contains(table), "\(run.output)")
        #expect(run.output.contains(#/near \(tls\) +1[12]\.\d ms +(29|30)\.\d ms +1[34]\.\d ms/#))
        let words =
            #/near over TLS vs UDP: [12](\.\d+)? ms slower \(95 % confidence interval: [\d.]+( to [\d.]+)? ms slower, medians of 240 hours\)/#
        let line = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(line.contains(words), "\(run.output)")
        #expect(folder.text("r.html").contains("What encryption costs here"))
        let json = try JSONSerialization.jsonObject(with: Data(folder.text("r.json").utf8))
        let document = try #require(json as? [String: Any])
        let cost = try #require((document["encryption"] as? [[String: Any]])?.first)
        #expect(cost["unit"] as? String == "hour" && cost["rounds"] as? Int == 240)
        let once = try #require(cost["connection_ms"] as? Double)
        #expect(abs(once - 42) < 0.8)
        #expect(cost["connections_opened"] as? Int == 480)
    }

    @Test func `the dashboard reports the same costs`() async throws {
        try await Binary.withServe(samples: Self.samples) { served in
            let window = "since=2026-03-16&until=2026-03-26"
            let shown = try await served.json("/api/window?\(window)")
            let cost = try #require((shown["encryption"] as? [[String: Any]])?.first)
            for path in ["/?", "/resolver?label=near&", "/compare?baseline=near&candidate=mid&"] {
                let page = try await served.ask(path + window)
                #expect(page.status == 200)
                #expect(page.body.contains("What encryption costs here"))
                #expect(page.body.contains("near over TLS vs UDP"))
                #expect(page.body.contains(">over<") && page.body.contains(">handshake<"))
            }
            let timeline = try await served.json("/api/resolver?label=near&\(window)")
            let told = try #require((timeline["encryption"] as? [[String: Any]])?.first)
            #expect(NSDictionary(dictionary: told) == cost as NSDictionary)
        }
    }
}
