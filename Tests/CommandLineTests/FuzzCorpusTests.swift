import Foundation
import Servers
import Testing

/// The seeds and the findings of fuzzing. The readers read them again without libFuzzer.
@Suite struct FuzzCorpusTests {
    private static let corpus = "\(InstallTests.root)/Tests/Fuzz/Corpus"

    private static let readers =
        ((try? FileManager.default.contentsOfDirectory(atPath: corpus)) ?? []).sorted()

    /// Runs the program `Fuzz`, which contains the readers. The build puts it next to the tests.
    private func fuzz(_ arguments: [String]) async throws -> CommandOutput {
        let folder = URL(fileURLWithPath: try Program.dnstempo().path).deletingLastPathComponent()
        return try await Program(folder.appendingPathComponent("Fuzz").path, package: "dnstempo")
            .run(arguments, environment: Binary.environment(home: "/nonexistent"))
    }

    @Test(arguments: readers)
    func `a reader accepts every input of its corpus`(reader: String) async throws {
        let folder = "\(Self.corpus)/\(reader)"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(!files.isEmpty)
        let run = try await fuzz([reader] + files.sorted().map { "\(folder)/\($0)" })
        #expect(run.code == 0, "\(run.errors)")
    }

    @Test func `every reader has a corpus`() async throws {
        let run = try await fuzz([])
        #expect(run.code == 64)
        #expect(run.errors == "usage: Fuzz \(Self.readers.joined(separator: "|")) FILE...\n")
    }
}
