import Catalogue
import DNSWire
import Foundation
import Reports
import Samples
import Testing

/// The queries in the record of a registered measurement (RFC 8912 §6).
struct RegisteredMetricsTests {
    private func metric(
        source: String,
        destination: String,
        _ outcomes: [Observation]
    ) throws -> [String: Any] {
        var fixture = try Fixture(rounds: outcomes.count, names: 1)
        let start = fixture.context.started
        func sent(_ number: Int) -> Timestamp { start.advanced(by: .milliseconds(100 * number)) }
        fixture.add("near") { number in
            var observation = outcomes[number]
            observation.sent = sent(number)
            return observation
        }
        let stream = RegisteredSampling.Stream(
            target: fixture.targets[0],
            source: IPAddress(source),
            destination: try Endpoint(parsing: destination),
            reciprocalLambda: 0.1,
            truncation: 1,
            ids: Dictionary(
                uniqueKeysWithValues: outcomes.indices.map { (sent($0), UInt16(1000 + $0)) }
            )
        )
        fixture.context.registered = RegisteredSampling(
            start: start,
            postponed: .zero,
            streams: [stream]
        )
        let text = JSONFormat().render(fixture.report)
        let report = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let metrics = try #require(report?["registered_metrics"] as? [[String: Any]])
        return try #require(metrics.first)
    }

    // RFC 8912 §6.3.5: addresses have the types ipv4-address-no-zone and ipv6-address-no-zone.
    @Test func `addresses are printed without their zone`() throws {
        let metric = try metric(source: "fe80::2%eth0", destination: "fe80::1%eth0", [.answer(3)])
        let parameters = try #require(metric["runtime_parameters"] as? [String: Any])
        #expect(parameters["Src"] as? String == "fe80::2")
        #expect(parameters["Dst"] as? String == "fe80::1")
        let fixed = try #require(metric["fixed_parameters"] as? [String: Any])
        #expect(fixed["Hop Count"] as? Int == 255)
        #expect(fixed["Extension Headers"] as? String == "none")
        #expect(fixed["TTL"] == nil)
    }

    @Test func `every response counts as a response, and all other outcomes as lost`() throws {
        var wrong = Observation.answer(4)
        wrong.outcome = .wrong
        let outcomes: [Observation] = [
            .answer(3), wrong, .failure(.servFail), .none(.timeout), .none(.unreachable),
        ]
        let metric = try metric(source: "127.0.0.1", destination: "127.0.0.1", outcomes)
        let results = try #require(metric["results"] as? [[String: Any]])
        #expect(results.map { $0["Logical"] as? Int } == [0, 0, 0, 1, 1])
        #expect(results.map { $0["dT"] as? Double } == [0.003, 0.004, 0.001, nil, nil])
        #expect(results.map { $0["RCODE"] as? Int } == [0, 0, 2, nil, nil])
        let parameters = try #require(metric["runtime_parameters"] as? [String: Any])
        #expect(parameters["ID"] as? [Int] == [1000, 1001, 1002, 1003, 1004])
    }
}
