import Foundation
import Servers
import Testing

@Suite struct MissingLibraryTests {
    /// The program sees an empty file in the place of the library, which takes root to arrange.
    @Test(
        .enabled(if: geteuid() == 0),
        arguments: [
            (transport: "tls", library: "libgnutls.so.30", package: "libgnutls30"),
            (transport: "https", library: "libnghttp2.so.14", package: "libnghttp2-14"),
        ]
    )
    func `without a library its transports are refused, and UDP is not`(
        transport: String,
        library: String,
        package: String
    ) async throws {
        let place = try #require(
            try FileManager.default.contentsOfDirectory(atPath: "/usr/lib")
                .map { "/usr/lib/\($0)/\(library)" }
                .first { FileManager.default.fileExists(atPath: $0) }
        )
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        func run(_ words: [String]) async throws -> CommandOutput {
            try await Program("unshare", package: "util-linux").run(
                [
                    "--mount", "sh", "-c", "mount --bind /dev/null \"$0\" && exec \"$@\"", place,
                    Program.dnstempo().path,
                ] + words + ["--no-store"],
                environment: Binary.environment(home: folder.path),
                in: folder.path
            )
        }
        let refused = try await run(["compare", "\(transport)://127.0.0.1:9"])
        #expect(refused.code == 69)
        #expect(
            refused.errors == "dnstempo: \(transport): \(library) is missing: install it "
                + "(Debian: apt-get install \(package))\n"
        )
        let plain = try await run(["compare", "--lab", "--rounds", "1", "-d", "a.test"])
        #expect(plain.code == 0, "\(plain.errors)")
    }
}
