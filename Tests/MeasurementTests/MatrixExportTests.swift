import DNSWire
import Measurement
import Testing

struct MatrixExportTests {
    private static func recording(names: [String], types: [RecordType]) throws -> Recording {
        Recording(
            runs: [.example],
            targets: ["home", "@work"].map {
                .init(label: $0, endpoint: "127.0.0.1:53", transport: "udp", series: .cached)
            },
            questions: try names.flatMap { name in
                try types.map { Question(name: try DomainName(name), type: $0) }
            }
        )
    }

    @Test func `a row is a round, a column a resolver, and no answer an empty cell`() throws {
        var recording = try Self.recording(names: ["example.com", "other.example"], types: [.a])
        let outcomes: [(Int32, Int32, Int32, Outcome)] = [
            (1, 1, 0, .answered), (1, 0, 0, .answered), (1, 0, 1, .answered), (1, 1, 1, .timeout),
            (2, 0, 0, .failed), (2, 1, 0, .answered), (4, 0, 1, .answered),
        ]
        for (round, target, question, outcome) in outcomes {
            var observation = Observation(outcome: outcome)
            if outcome.isResponse { observation.roundTrip = Int64(round * 1000 + target) * 1000 }
            recording.samples.append(
                Sample(
                    run: 0,
                    round: round,
                    target: target,
                    question: question,
                    scheduled: Timestamp(nanoseconds: 0),
                    observation: observation
                )
            )
        }
        let tables = MatrixExport.tables(of: recording)
        #expect(tables.map(\.fileName) == ["example.com.tsv", "other.example.tsv"])
        #expect(
            tables.map(\.text) == [
                "'@work\thome\n1.001\t1.000\n2.001\t\n\t\n",
                "'@work\thome\n\t1.000\n\t\n\t4.000\n",
            ]
        )
    }

    @Test func `a resolver measured in two ways has two columns`() throws {
        var recording = try Self.recording(names: ["example.com"], types: [.a])
        recording.targets[1].label = "home"
        recording.targets[1].transport = "tcp"
        #expect(
            MatrixExport.tables(of: recording).map(\.text) == ["home tcp cached\thome udp cached\n"]
        )
    }

    @Test(
        arguments: [
            (["."], [.a], ["%2E.tsv"]),
            (["a/b.example"], [.a], ["a%2Fb.example.tsv"]),
            (["\\046\\046.example"], [.a], ["%5C046%5C046.example.tsv"]),
            (["n.example"], [.a, .aaaa], ["n.example.A.tsv", "n.example.AAAA.tsv"]),
            (["n.example", "N.Example"], [.a], ["n.example.tsv", "N.Example-2.tsv"]),
        ] as [([String], [RecordType], [String])]
    )
    func `any name makes a safe file name of its own`(
        names: [String],
        types: [RecordType],
        files: [String]
    ) throws {
        let tables = MatrixExport.tables(of: try Self.recording(names: names, types: types))
        #expect(tables.map(\.fileName) == files)
    }

    @Test func `a long name stays within what a file system takes`() throws {
        let label = String(repeating: "x", count: 63)
        let name = [label, label, label, String(repeating: "y", count: 61)].joined(separator: ".")
        let tables = MatrixExport.tables(of: try Self.recording(names: [name], types: [.a]))
        #expect(tables.allSatisfy { $0.fileName.utf8.count <= 255 })
    }
}
