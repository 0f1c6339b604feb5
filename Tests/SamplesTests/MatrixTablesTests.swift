import DNSWire
import Samples
import Testing

struct MatrixTablesTests {
    /// Returns the texts of all files.
    private static func texts(of recordings: [Recording]) throws -> [String] {
        let first = try #require(recordings.first)
        let tables = MatrixTables(targets: first.targets, questions: first.questions)
        var texts = tables.fileNames.map { _ in tables.header }
        for recording in recordings {
            for (index, lines) in tables.lines(of: recording).enumerated() { texts[index] += lines }
        }
        return texts.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func fileNames(of recording: Recording) -> [String] {
        MatrixTables(targets: recording.targets, questions: recording.questions).fileNames
    }

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

    @Test func `a row is a round, a column is a resolver, a missing answer is empty`() throws {
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
                    round: round - 1,
                    target: target,
                    question: question,
                    scheduled: Timestamp(nanoseconds: 0),
                    observation: observation
                )
            )
        }
        #expect(Self.fileNames(of: recording) == ["example.com.tsv", "other.example.tsv"])
        let texts = [
            "'@work\thome\n1.001\t1.000\n2.001\t\n\t\n",
            "'@work\thome\n\t1.000\n\t\n\t4.000\n",
        ]
        #expect(try Self.texts(of: [recording]) == texts)
        var parts = [recording, recording]
        parts[0].samples.removeAll { $0.round > 0 }
        parts[1].samples.removeAll { $0.round == 0 }
        #expect(try Self.texts(of: parts) == texts)
    }

    @Test func `a resolver with two transports has two columns`() throws {
        var recording = try Self.recording(names: ["example.com"], types: [.a])
        recording.targets[1].label = "home"
        recording.targets[1].transport = "tcp"
        #expect(try Self.texts(of: [recording]) == ["home tcp cached\thome udp cached\n"])
    }

    @Test func `a resolver that moved has a column for each endpoint`() throws {
        var recording = try Self.recording(names: ["example.com"], types: [.a])
        recording.targets[0].endpoint = "127.0.0.2:53"
        recording.targets[1].label = "home"
        #expect(
            try Self.texts(of: [recording]) == [
                "home udp cached 127.0.0.1:53\thome udp cached 127.0.0.2:53\n"
            ]
        )
    }

    @Test(
        arguments: [
            (["."], [.a], ["%2E.tsv"]),
            (["a/b.example"], [.a], ["a%2Fb.example.tsv"]),
            (["\\046\\046.example"], [.a], ["%5C046%5C046.example.tsv"]),
            (["n.example"], [.a, .aaaa], ["n.example.A.tsv", "n.example.AAAA.tsv"]),
        ] as [([String], [RecordType], [String])]
    )
    func `every name has its own safe file name`(
        names: [String],
        types: [RecordType],
        files: [String]
    ) throws {
        #expect(try Self.fileNames(of: Self.recording(names: names, types: types)) == files)
    }

    @Test func `the file name of a long name fits the file system`() throws {
        let label = String(repeating: "x", count: 63)
        let name = [label, label, label, String(repeating: "y", count: 61)].joined(separator: ".")
        let files = Self.fileNames(of: try Self.recording(names: [name], types: [.a]))
        #expect(files.count == 1 && files.allSatisfy { $0.utf8.count <= 255 })
    }
}
