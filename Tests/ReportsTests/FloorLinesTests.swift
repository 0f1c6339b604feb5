import Catalogue
import DNSWire
import Reports
import Samples
import Testing

struct FloorLinesTests {
    /// Returns the lines on the network round trips of three resolvers. `stone` is the outcome of all queries
    /// to the third resolver.
    private func lines(
        _ floors: [String: (milliseconds: Double, port: UInt16)],
        stone: Observation = Observation(outcome: .timeout),
        isWanted: Bool = true,
        width: Int = 100
    ) throws -> [String] {
        var fixture = try Fixture(rounds: 40)
        fixture.context.wantedFloors = isWanted
        fixture.add("meadow", endpoint: "192.0.2.1:53") { _ in .answer(23) }
        fixture.add("brook", endpoint: "192.0.2.2:53") { _ in .answer(7) }
        fixture.add("stone", endpoint: "192.0.2.3:53") { _ in stone }
        for target in fixture.targets {
            fixture.context.floors[target] = floors[target.label].map { floor in
                NetworkRTT(
                    roundTrip: .microseconds(Int64(floor.milliseconds * 1000)),
                    port: floor.port,
                    handshakes: 3
                )
            }
        }
        let text = TextFormat(width: width, isVerbose: true).render(fixture.report)
        let all = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return Array(all.drop { !$0.hasPrefix("Network round trip,") }.prefix { !$0.isEmpty })
    }

    @Test func `the time of each resolver is compared with the network round trip`() throws {
        #expect(
            try lines(["meadow": (21, 53), "brook": (6.9, 443), "stone": (12, 53)]) == [
                "Network round trip, the least of a few TCP handshakes:",
                "  brook   6.9 ms of 7.0 ms (port 443)",
                "  meadow  21.0 ms of 23.0 ms",
                "  stone   12.0 ms; it left most queries unanswered",
            ]
        )
    }

    @Test(arguments: [
        (Observation.failure(.servFail), "; it gave most queries no usable answer"),
        (.none(.filtered), ""),
    ])
    func `without a median, the outcomes are reported`(stone: Observation, words: String) throws {
        let found = try lines(["stone": (12, 53)], stone: stone)
        #expect(found.contains("  stone   12.0 ms\(words)"), "\(found)")
    }

    @Test func `a network round trip above the answer time is called odd`() throws {
        let found = try lines(["brook": (30.5, 53)])
        let words = "30.5 ms, more than the 7.0 ms of its answers: the network was slower then"
        #expect(found[1].hasPrefix("  brook   \(words)"))
    }

    @Test func `a resolver without an open port has no floor`() throws {
        let found = try lines([:])
        #expect(found.count == 4)
        #expect(found[1] == "  brook   unknown: no port accepts a connection")
    }

    @Test func `floors are reported only if they were measured`() throws {
        #expect(try lines([:], isWanted: false).isEmpty)
    }

    @Test(arguments: [20, 30, 44])
    func `no line is wider than a narrow terminal`(width: Int) throws {
        let found = try lines(["meadow": (21, 53), "brook": (30.5, 53)], width: width)
        // The columns of names and of text have a minimum width of 30 together.
        #expect(found.allSatisfy { $0.count <= max(width, 30) })
    }
}
