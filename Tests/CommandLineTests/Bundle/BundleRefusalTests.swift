import Foundation
import Servers
import Testing

/// Evidence that cannot be kept, or read.
@Suite struct BundleRefusalTests {
    private static let taken =
        "--evidence 'x' is there already and no empty folder: name a new one"
    private static let none = "no folder can be made there: name another"

    static let refused = [
        BadInput("compare 127.0.0.1:1 --evidence x", 73, taken, files: ["x/": "", "x/a": "1"]),
        BadInput("compare 127.0.0.1:1 --evidence x", 73, taken, files: ["x": "1"]),
        BadInput("watch 127.0.0.1:1 --evidence x", 73, taken, files: ["x": "1"]),
        BadInput(
            "compare 127.0.0.1:1 --evidence x/y/z",
            73,
            "--evidence 'x/y/z': \(none)",
            files: ["x": "1"]
        ),
        BadInput(
            "compare --lab --evidence x --resume",
            "--evidence is of a whole run: leave out --resume"
        ),
        BadInput("compare --lab --evidence \("")", "--evidence: name a folder"),
        BadInput(
            "report --recompute x",
            66,
            "'x' has no plan.json: name a folder that --evidence wrote",
            files: ["x/": "", "x/a": "1"]
        ),
        BadInput(
            "report --recompute x",
            66,
            "'x' has no plan.json: name a folder that --evidence wrote",
            files: ["x": "1"]
        ),
        BadInput(
            "report --recompute x",
            66,
            "'x' has no plan.json: name a folder that --evidence wrote"
        ),
        BadInput(
            "report --recompute x",
            65,
            "'x/plan.json' is no part of a bundle that this version wrote with --evidence",
            files: ["x/": "", "x/plan.json": "{}"]
        ),
        BadInput(
            "report --recompute x --fail-if objective-missed",
            "--fail-if objective-missed needs an objective, and a bundle has none: leave it out"
        ),
        BadInput(
            "report --recompute x --since 1d",
            "--recompute is of a bundle alone: leave out files and other reports, and what chooses "
                + "among samples"
        ),
    ]

    @Test(arguments: refused)
    func `evidence that cannot be is refused in one line`(input: BadInput) async throws {
        try await input.check()
    }

    @Test(.enabled(if: geteuid() == 0))
    func `without libfstrm nothing is asked`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
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
