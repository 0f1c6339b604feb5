import DNSWire
import Foundation
import Samples
import Servers
import Store
import Testing

/// A store with rounds of the last twenty days. On the last day, one resolver was 8 ms slower.
struct ChangeNoticeTests {
    private static let hours = 20 * 24

    private func fill(_ store: Store, until end: Timestamp) throws {
        let targets = ["meadow", "harbour"].enumerated().map { index, label in
            Recording.Target(
                label: label,
                endpoint: "127.0.\(index).1:53",
                transport: "udp",
                series: .cached
            )
        }
        let run = Run(id: "r", vantage: "desk", timeout: .seconds(5), origin: .sample, started: end)
        let questions = [Question(name: try DomainName("example.com"), type: .a)]
        for hour in 0..<Self.hours {
            let isSlow = hour >= Self.hours - 24
            let samples = (0..<20).map { number in
                var observation = Observation(outcome: .answered)
                let noise = Int64((hour * 7 + number * 31) % 20) * 50_000
                let step: Int64 = isSlow && number % 2 == 0 ? 8_000_000 : 0
                observation.roundTrip = 12_000_000 + noise + step
                return Sample(
                    round: 0,
                    target: Int32(number % 2),
                    question: 0,
                    scheduled: end.advanced(by: .seconds((hour - Self.hours) * 3600 + number)),
                    observation: observation
                )
            }
            try store.append(
                Recording(
                    runs: [run],
                    rounds: [Round(number: Int32(hour + 1))],
                    targets: targets,
                    questions: questions,
                    samples: samples
                )
            )
        }
    }

    @Test func `an established change is reported once, after the hour`() async throws {
        let folder = TemporaryFolder()
        let path = folder.file("s.sqlite")
        let seconds = Int64(Date.now.timeIntervalSince1970) / 3600 * 3600
        try fill(
            try Store(path: path, durability: .off),
            until: Timestamp(nanoseconds: seconds * 1_000_000_000)
        )
        let tell = try folder.writeProgram(
            "#!/bin/sh\ncat >> '\(folder.file("told"))'\n",
            to: "tell"
        )
        for _ in 1...2 {
            let run = try await Binary.run(
                ["sample", "127.0.0.1:\(try Loopback.freePort())", "-d", "example.com"]
                    + ["--vantage", "desk", "--store", path, "--notify", tell]
            )
            #expect(run.code == 0 && run.errors == "")
        }
        let document = try JSONSerialization.jsonObject(with: Data(folder.read("told")))
        let notices = try #require((document as? [String: Any])?["notices"] as? [[String: Any]])
        try #require(notices.count == 1)
        #expect(notices[0]["kind"] as? String == "slower")
        #expect(notices[0]["resolver"] as? String == "meadow")
        let figures = try #require(notices[0]["figures"] as? [String: Any])
        let size = try #require(figures["change_ms"] as? Double)
        #expect(abs(size - 8) < 0.5)
        #expect(try Store(path: path, access: .readOnly).check().findings == [])
    }
}
