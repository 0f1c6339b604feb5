import Foundation
import Servers
import Testing

/// A folder that `--evidence` wrote, and the results that `report --recompute` computes from the folder.
struct KeptBundle {
    let folder: TemporaryFolder
    var name = "kept"

    var path: String { folder.file(name) }
    var samples: Table { Table(folder.text("\(name)/samples.csv")) }

    /// The bundle of a run of `compare`, which must end with `code`.
    static func comparing(
        _ words: [String],
        code: Int32 = 0,
        in folder: TemporaryFolder
    ) async throws -> KeptBundle {
        let bundle = KeptBundle(folder: folder)
        let run = try await Binary.run(
            ["compare"] + words + ["--evidence", bundle.name, "--no-store", "-q"],
            in: folder.path
        )
        #expect(run.code == code, "\(run.errors)")
        return bundle
    }

    func recompute(
        _ more: [String] = ["--format", "json"],
        environment: [String: String] = [:]
    ) async throws -> CommandOutput {
        try await Binary.run(
            ["report", "--recompute", name] + more,
            environment: environment,
            in: folder.path
        )
    }

    /// The frames of the bundle's messages.
    var frames: [DnstapFile.Frame] {
        get throws { try DnstapFile(folder.read("\(name)/messages-000001.fstrm")).frames }
    }

    /// Expects that the messages reproduce all samples and the report, byte by byte.
    func expectSound(
        environment: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let run = try await recompute(environment: environment)
        let count = samples.rows.count
        let messages = try frames.count { !$0.message.isEmpty }
        #expect(
            run.errors
                == "dnstempo: \(count) samples recomputed from \(messages) messages: all as in "
                + "'\(name)/samples.csv', and the report is that of '\(name)/comparison.json'\n",
            sourceLocation: sourceLocation
        )
        #expect(run.code == 0, sourceLocation: sourceLocation)
        #expect(run.bytes == folder.read("\(name)/comparison.json"), sourceLocation: sourceLocation)
    }
}
