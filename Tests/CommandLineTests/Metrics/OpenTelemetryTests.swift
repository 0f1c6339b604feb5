import Foundation
import Servers
import Testing

/// Rounds that the program sends to a receiver of OpenTelemetry.
@Suite struct OpenTelemetryTests: SamplingTests {
    let folder = TemporaryFolder()

    /// Runs `body` while a receiver runs. `body` gets the receiver's URL and a closure that returns the
    /// received requests.
    private func receive(
        _ modes: MetricsReceiver.Mode...,
        port: UInt16? = nil,
        _ body: (String, () throws -> [MetricsRequest]) async throws -> Void
    ) async throws {
        let log = folder.file("requests")
        try await withServer(MetricsReceiver(modes, log: log), port: port) { server in
            try await body("http://127.0.0.1:\(server.port)") {
                guard FileManager.default.fileExists(atPath: log) else { return [] }
                return try folder.text("requests").split(separator: "\n").map {
                    try JSONDecoder().decode(MetricsRequest.self, from: Data($0.utf8))
                }
            }
        }
    }

    @Test func `each look-up of the store is in its bucket of the published histogram`()
        async throws
    {
        try await receive(.takes) { url, requests in
            let watch = try await run(
                ["watch", "--lab", "--rounds", "3", "--interval", "0s", "--store", "s.sqlite"]
                    + ["--vantage", "here", "--otlp", url]
            )
            #expect(watch.errors == "")
            _ = try await run(["export", "s.sqlite", "-o", "samples.csv"])
            var expected: [LookupKey: [Double]] = [:]
            var outcomes: [LookupKey: Int] = [:]
            for row in csvRows(folder.text("samples.csv")) {
                let rcode = row["outcome"] == "failed" ? row["rcode"] : row["outcome"]
                let error = row["outcome"] == "answered" ? nil : rcode
                let time =
                    row["outcome"] == "timeout" ? row["timeout_ms"] : row["rtt_ms"]
                outcomes[LookupKey(row["resolver"], outcome: row["outcome"]), default: 0] += 1
                guard let time = time.flatMap(Double.init) else { continue }
                let key = LookupKey(row["resolver"], name: row["name"], error: error)
                expected[key, default: []].append(time / 1000)
            }
            let points = try requests().flatMap(\.histograms)
            let found = Dictionary(grouping: points, by: \.key)
            #expect(Set(found.keys) == Set(expected.keys))
            for (key, times) in expected {
                let points = found[key] ?? []
                let sum = points.reduce(0) { $0 + $1.sum }
                #expect(abs(sum - times.reduce(0, +)) < 1e-9 * Double(times.count), "\(key)")
                let ends = [points.map(\.min).min(), points.map(\.max).max()]
                for (found, exact) in zip(ends, [times.min(), times.max()]) {
                    #expect(abs((found ?? 0) - (exact ?? 0)) < 1e-12, "\(key)")
                }
                var counts: [Int: Int] = [:]
                for point in points {
                    #expect(point.scale == 5 && point.counts.reduce(0, +) == point.total)
                    for (index, count) in point.counts.enumerated() where count > 0 {
                        counts[point.offset + index, default: 0] += count
                    }
                }
                // Bucket k has the times above 2^(k/32), up to 2^((k + 1)/32).
                let exact = Dictionary(
                    times.map { (Int((log2($0) * 32).rounded(.up)) - 1, 1) },
                    uniquingKeysWith: +
                )
                #expect(counts == exact, "\(key)")
            }
            let sums = Dictionary(
                try requests().flatMap(\.sums).map { ($0.key, $0.total) },
                uniquingKeysWith: +
            )
            #expect(sums == outcomes)
        }
    }

    @Test func `a request has the fields and names of the conventions`() async throws {
        try await receive(.takes) { url, requests in
            let token = try folder.write("s3cret\nmore\n", to: "token")
            let sampled = try await sample(
                "--vantage",
                "here",
                "--otlp",
                url + "/custom/path",
                "--otlp-token",
                token
            )
            #expect(sampled.output + sampled.errors == "")
            #expect(try await sample("--vantage", "here", "--otlp", url).errors == "")
            #expect(try await sample("--vantage", "here", "--otlp", url + "/").errors == "")
            let all = try requests()
            #expect(all.map(\.path) == ["/custom/path", "/v1/metrics", "/v1/metrics"])
            #expect(all[0].head["content-type"] == "application/x-protobuf")
            #expect(all[0].head["content-encoding"] == nil)
            #expect(all[0].head["user-agent"]?.hasPrefix("dnstempo/") == true)
            #expect(all[0].head["authorization"] == "Bearer s3cret")
            #expect(all[1].head["authorization"] == nil)
            let resource = try #require(all[0].content.resourceMetrics.first)
            #expect(resource.resource.texts["service.name"] == "dnstempo")
            #expect(resource.resource.texts["dnstempo.vantage"] == "here")
            let metrics = resource.scopeMetrics.flatMap(\.metrics)
            #expect(metrics.map(\.name) == ["dns.lookup.duration", "dnstempo.lookups"])
            #expect(metrics.map(\.unit) == ["s", "{lookup}"])
            let histogram = try #require(metrics[0].exponentialHistogram)
            #expect(histogram.aggregationTemporality == "AGGREGATION_TEMPORALITY_DELTA")
            let point = try #require(histogram.dataPoints.first)
            #expect(
                point.texts == [
                    "dnstempo.resolver": "meadow", "dnstempo.endpoint": "lab:meadow",
                    "server.address": "127.0.0.1", "dnstempo.transport": "udp",
                    "dnstempo.series": "cached", "dns.question.name": "example.com",
                    "dnstempo.question.type": "A",
                ]
            )
            let (start, end) = try (
                #require(Int(point.startTimeUnixNano)), #require(Int(point.timeUnixNano))
            )
            #expect(start < end && end - start < 60_000_000_000)
            let sum = try #require(metrics[1].sum)
            #expect(sum.isMonotonic == true)
            #expect(sum.dataPoints.map(\.texts["dnstempo.outcome"]) == ["answered"])
        }
    }

    @Test func `rounds wait for a receiver that is unreachable or busy`() async throws {
        let port = try Loopback.freePort()
        let url = "http://127.0.0.1:\(port)"
        let away = try await sample("--otlp", url)
        #expect(
            away.errors
                == "dnstempo: the OpenTelemetry receiver at 127.0.0.1:\(port) cannot be reached: "
                + "Connection refused; the rounds wait in the store\n"
        )
        try await receive(.isBusy, .takes, port: port) { url, requests in
            let failing = try await sample("--otlp", url)
            #expect(failing.errors.contains(" answered 503: no \\u{1B}[31mroom; the rounds wait "))
            #expect(try await sample("--otlp", url).errors == "")
            #expect(try requests().map { $0.histograms.count } == [2, 3])
        }
    }

    @Test func `data points that a receiver rejects are reported`() async throws {
        try await receive(.partial, .refuses, .garbage) { url, _ in
            let partial = try await sample("--otlp", url)
            #expect(
                partial.errors.hasSuffix(
                    " refused 3 data points, given up (delta \\u{1B}[31mis not accepted)\n"
                )
            )
            let refused = try await sample("--otlp", url)
            #expect(
                refused.errors.hasSuffix(
                    " refused 1 round, given up (answered 400: no \\u{1B}[31mroom)\n"
                )
            )
            let garbage = try await sample("--otlp", url)
            #expect(garbage.errors.contains(" refused 1 round, given up (answered 400: <html>"))
            #expect(garbage.errors.split(separator: "\n").count == 1)
        }
    }

    @Test(arguments: [
        (arguments: ["--otlp", "collector:4318"], words: "is no URL of an OpenTelemetry receiver"),
        (["--otlp", "http://me:secret@127.0.0.1/"], "--otlp-token"),
        (["--otlp", "http://192.0.2.1/"], "192.0.2.1 is outside the allowed networks"),
        (["--otlp-token", "/dev/null"], "--otlp-token needs --otlp: add --otlp URL"),
    ])
    func `an invalid receiver is rejected before any query`(
        arguments: [String],
        words: String
    ) async throws {
        try await expectRefused(arguments, words)
    }

    @Test func `without a store, --otlp is rejected`() async throws {
        try await expectRefusedWithoutStore("--otlp", "http://127.0.0.1:9")
    }
}

/// The attributes that distinguish the data points of this test.
private struct LookupKey: Hashable {
    var resolver: String?
    var name: String?
    var error: String?
    var outcome: String?

    init(_ resolver: String?, name: String? = nil, error: String? = nil, outcome: String? = nil) {
        (self.resolver, self.name, self.error, self.outcome) = (resolver, name, error, outcome)
    }
}

/// The rows of a CSV file without quoted cells, by the names of its columns.
private func csvRows(_ text: String) -> [[String: String]] {
    let lines = text.split(separator: "\n").map { line in
        line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    return lines.dropFirst().map { cells in
        Dictionary(zip(lines[0], cells)) { first, _ in first }.filter { !$0.value.isEmpty }
    }
}

/// A request, as JSON of the receiver's own definitions (Protobuf, "JSON Mapping").
private struct MetricsRequest: Decodable {
    struct Attribute: Decodable {
        struct Value: Decodable { var stringValue: String? }
        var key: String
        var value: Value
    }

    struct Resource: Decodable {
        var attributes: [Attribute]
        var texts: [String: String] { attributes.texts }
    }

    struct Point: Decodable {
        struct Buckets: Decodable {
            var offset: Int?
            var bucketCounts: [String]?
        }

        var attributes: [Attribute]
        var startTimeUnixNano: String
        var timeUnixNano: String
        var count: String?
        var asInt: String?
        var sum: Double?
        var scale: Int?
        var positive: Buckets?
        var min: Double?
        var max: Double?

        var texts: [String: String] { attributes.texts }
    }

    struct Points: Decodable {
        var dataPoints: [Point]
        var aggregationTemporality: String
        var isMonotonic: Bool?
    }

    struct Metric: Decodable {
        var name: String
        var unit: String
        var exponentialHistogram: Points?
        var sum: Points?
    }

    struct ScopeMetrics: Decodable { var metrics: [Metric] }

    struct ResourceMetrics: Decodable {
        var resource: Resource
        var scopeMetrics: [ScopeMetrics]
    }

    struct Content: Decodable { var resourceMetrics: [ResourceMetrics] }

    struct Histogram {
        var key: LookupKey
        var total: Int
        var sum: Double
        var min: Double
        var max: Double
        var scale: Int
        var offset: Int
        var counts: [Int]
    }

    var path: String
    var head: [String: String]
    var content: Content

    private var metrics: [Metric] {
        content.resourceMetrics.flatMap(\.scopeMetrics).flatMap(\.metrics)
    }

    var histograms: [Histogram] {
        metrics.compactMap(\.exponentialHistogram).flatMap(\.dataPoints).map { point in
            let texts = point.texts
            return Histogram(
                key: LookupKey(
                    texts["dnstempo.resolver"],
                    name: texts["dns.question.name"],
                    error: texts["error.type"]
                ),
                total: point.count.flatMap { Int($0) } ?? 0,
                sum: point.sum ?? 0,
                min: point.min ?? 0,
                max: point.max ?? 0,
                scale: point.scale ?? 0,
                offset: point.positive?.offset ?? 0,
                counts: point.positive?.bucketCounts?.compactMap { Int($0) } ?? []
            )
        }
    }

    /// The numbers of look-ups by outcome.
    var sums: [(key: LookupKey, total: Int)] {
        metrics.compactMap(\.sum).flatMap(\.dataPoints).map { point in
            let texts = point.texts
            return (
                LookupKey(texts["dnstempo.resolver"], outcome: texts["dnstempo.outcome"]),
                point.asInt.flatMap { Int($0) } ?? 0
            )
        }
    }
}

extension [MetricsRequest.Attribute] {
    fileprivate var texts: [String: String] {
        Dictionary(map { ($0.key, $0.value.stringValue ?? "") }) { first, _ in first }
    }
}
