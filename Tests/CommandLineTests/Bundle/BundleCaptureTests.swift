import Servers
import Testing

/// The messages of a bundle beside those that a packet capture saw.
@Suite(.enabled(if: PacketCapture.isPermitted, "capturing packets takes the rights of root"))
struct BundleCaptureTests {
    @Test func `they are the packets, at the capture's times`() async throws {
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
                    // The query is the frame before its answer.
                    let query = try #require(frames.last { $0.isQuery && $0.sent == frame.sent })
                    let trip = try #require(times[frame.response]) - #require(times[query.query])
                    trips.append(trip)
                    apart.append(abs(frame.received - frame.sent - trip))
                }
                #expect(apart.count == 22)
                // Of 0.2 to 2 µs each (both take their stamps on the way through the kernel, but not at one
                // place), and more where an interrupt comes in between or the machine is slow. There trips
                // are longer too: a fiftieth of the median one is below 1 µs on a quick machine.
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
