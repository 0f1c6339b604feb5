import Foundation
import Servers

@testable import Signatures

/// A key pair that minisign generates, in its own folder.
final class Keys {
    let folder = TemporaryFolder()

    init() async throws {
        try await minisign("-G", "-W", "-p", "key.pub", "-s", "key.sec")
    }

    private func minisign(_ arguments: String...) async throws {
        let run = try await Program("minisign", package: "minisign")
            .run(arguments, in: folder.path)
        guard run.code == 0 else { throw NoSignature(reason: run.errors) }
    }

    struct NoSignature: Error { let reason: String }

    var publicKey: String {
        get throws {
            let lines = try String(contentsOfFile: "\(folder.path)/key.pub", encoding: .utf8)
                .split(separator: "\n")
            return String(lines[1])
        }
    }

    /// Returns the signature of `content`. It signs the hash of the content, or the content itself
    /// if `isLegacy`.
    func signature(of content: [UInt8], isLegacy: Bool) async throws -> [UInt8] {
        let file = URL(fileURLWithPath: "\(folder.path)/list.md")
        try Data(content).write(to: file)
        let kind = isLegacy ? ["-l"] : []
        let run = try await Program("minisign", package: "minisign").run(
            ["-S"] + kind + ["-s", "key.sec", "-m", "list.md"],
            in: folder.path
        )
        guard run.code == 0 else { throw NoSignature(reason: run.errors) }
        return [UInt8](try Data(contentsOf: file.appendingPathExtension("minisig")))
    }
}
