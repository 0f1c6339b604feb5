import Foundation
import Servers
import Testing

/// Evidence that cannot be written or read.
@Suite struct BundleRefusalTests {
    @Test(arguments: try BadInput.cases("evidence"))
    func `an impossible evidence bundle is rejected with one line`(input: BadInput) async throws {
        try await input.check()
    }

    @Test(.enabled(if: geteuid() == 0))
    func `without libfstrm, no query is sent`() async throws {
        let folder = TemporaryFolder()
        try await withResponder { _ in
            []
        } _: { responder in
            for words in [
                ["compare", "\(responder.endpoint)"], ["watch", "\(responder.endpoint)"],
            ] {
                let run = try await MissingLibraryTests.run(
                    words + ["-d", "a.test", "--evidence", "kept"],
                    without: "libfstrm.so.0",
                    home: folder
                )
                #expect(run.code == 69)
                #expect(
                    run.errors == "dnstempo: evidence needs libfstrm: install it (Debian: apt-get "
                        + "install libfstrm0)\n"
                )
            }
            #expect(responder.queries.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: folder.file("kept")))
        }
    }
}
