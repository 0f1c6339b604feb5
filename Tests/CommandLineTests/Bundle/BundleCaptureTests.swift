import Servers
import Testing

/// The messages of a bundle compared with a packet capture.
@Suite(.enabled(if: PacketCapture.isPermitted, "capturing packets takes the rights of root"))
struct BundleCaptureTests {
    @Test func `the messages equal the captured packets, and the times agree`() async throws {
        let folder = TemporaryFolder()
        try await withServer(.unbound()) { server in
            try await withPacketCapture(ports: [server.port]) { capture in
                let bundle = try await KeptBundle.comparing(
                    ["\(server.endpoint)", "-d", "a.example.com", "-d", "b.example.com"]
                        + ["--rounds", "10", "--rate", "100", "--no-check", "--no-floor"],
                    in: folder
                )
                let packets = try await capture.packets().filter { $0.transport == .udp }
                let frames = try bundle.frames
                #expect(frames.count == 2 * 22, "a warm-up and ten rounds of two names")
                #expect(
                    frames.map(\.message).sorted { $0.lexicographicallyPrecedes($1) }
                        == packets.map(\.payload).sorted { $0.lexicographicallyPrecedes($1) }
                )
                let times = Dictionary(
                    packets.map { ($0.payload, $0.time) },
                    uniquingKeysWith: { first, _ in first }
                )
                #expect(bundle.samples.column("clock").allSatisfy { $0 == "kernel" })
                var apart: [Int64] = []
                var trips: [Int64] = []
                for frame in frames where !frame.isQuery {
                    // The query of an answer has the same send time.
                    let query = try #require(frames.last { $0.isQuery && $0.sent == frame.sent })
                    let trip = try #require(times[frame.response]) - #require(times[query.query])
                    trips.append(trip)
                    apart.append(abs(frame.received - frame.sent - trip))
                }
                #expect(apart.count == 22)
                // The two round trips differ by 0.2 to 2 µs: bundle and capture take their time stamps at
                // different places in the kernel. An interrupt or a slow machine increases the difference,
                // but then the round trips are longer too. On a fast machine, a fiftieth of the median round
                // trip is below 1 µs.
                #expect(try 50 * #require(apart.min()) <= trips.sorted()[11], "\(apart), \(trips)")
                let counted = frames.dropFirst(4).filter { !$0.isQuery }
                    .map { Double($0.received - $0.sent) / 1e6 }
                let sampled = bundle.samples.column("rtt_ms").compactMap { Double($0) }
                #expect(counted.count == 20 && sampled.count == 20)
                #expect(zip(counted.sorted(), sampled.sorted()).allSatisfy { abs($0 - $1) < 1e-3 })
                try await bundle.expectSound()
            }
        }
    }
}
