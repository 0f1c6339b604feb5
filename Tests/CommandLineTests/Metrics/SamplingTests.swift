import Foundation
import Servers
import Testing

/// Tests of what follows the rounds of a store in their folder.
protocol SamplingTests {
    var folder: TemporaryFolder { get }
}

extension SamplingTests {
    func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        code: Int32 = 0
    ) async throws -> CommandOutput {
        let output = try await Binary.run(arguments, environment: environment, in: folder.path)
        #expect(output.code == code, "\(arguments.joined(separator: " ")): \(output.errors)")
        return output
    }

    /// Runs `sample` for one round with one name and one resolver.
    func sample(
        _ more: String...,
        environment: [String: String] = [:],
        code: Int32 = 0
    ) async throws -> CommandOutput {
        try await run(
            ["sample", "--lab", "meadow", "-d", "example.com", "--store", "s.sqlite"] + more,
            environment: environment,
            code: code
        )
    }

    /// Expects that options are rejected in one line with these words, without a secret of theirs and before
    /// a store is created.
    func expectRefused(_ options: [String], _ words: String) async throws {
        let refused = try await run(
            ["sample", "--lab", "meadow", "--store", "s.sqlite"] + options,
            environment: ["DNSTEMPO_ALLOW_NET": "127.0.0.0/8"],
            code: 64
        )
        #expect(refused.errors.contains(words), "\(refused.errors)")
        #expect(refused.errors.split(separator: "\n").count == 1)
        #expect(!refused.errors.contains("secret"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("s.sqlite")))
    }

    /// Expects that an option with this URL is rejected if the rounds have no store.
    func expectRefusedWithoutStore(_ option: String, _ url: String) async throws {
        let refused = try await run(
            ["watch", "--lab", "--rounds", "1", option, url],
            code: 64
        )
        #expect(refused.errors.contains("\(option): ") && refused.errors.contains("--store"))
    }
}
