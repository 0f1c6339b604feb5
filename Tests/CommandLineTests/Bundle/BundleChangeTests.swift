import Foundation
import Servers
import Testing

/// Bundles that were changed after the run, and incomplete bundles.
@Suite struct BundleChangeTests {
    /// Changes a copy of the bundle with `body`, and recomputes the copy.
    private func changed(
        _ bundle: KeptBundle,
        _ body: (KeptBundle) throws -> Void
    ) async throws -> CommandOutput {
        let copy = KeptBundle(folder: TemporaryFolder())
        try FileManager.default.copyItem(atPath: bundle.path, toPath: copy.path)
        try body(copy)
        return try await copy.recompute()
    }

    /// Changes the lines of the samples with `body`.
    private func change(_ bundle: KeptBundle, _ body: (inout [String]) throws -> Void) throws {
        let name = "\(bundle.name)/samples.csv"
        var lines = folderLines(bundle.folder.text(name))
        try body(&lines)
        try bundle.folder.write(lines.joined(separator: "\n"), to: name)
    }

    private func folderLines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private func withBundle(
        _ body: (TemporaryFolder, KeptBundle) async throws -> Void
    ) async throws {
        let folder = TemporaryFolder()
        let words = ["--lab", "meadow", "-d", "a.test", "-d", "b.test", "--rounds", "2"]
        try await body(folder, try await KeptBundle.comparing(words, in: folder))
    }

    @Test func `changed samples are reported with both values`() async throws {
        try await withBundle { folder, bundle in
            let table = bundle.samples
            let row = try #require(table.rows.last)
            let time = table[row, "rtt_ms"]
            let other = time.dropLast() + (time.hasSuffix("1") ? "2" : "1")
            let name = "round 2 meadow udp \(table[row, "name"]) A"
            let digit = try await changed(bundle) { copy in
                try change(copy) { lines in
                    let last = lines.count - 2
                    lines[last] = lines[last].replacing(",\(time),", with: ",\(other),")
                }
            }
            #expect(digit.code == 1)
            #expect(
                digit.errors
                    == "dnstempo: 4 samples recomputed from 12 messages: 1 difference\n"
                    + "dnstempo: \(name): rtt_ms is '\(time)' by the messages, '\(other)' in the file\n"
            )
            // The printed report is still computed from the messages.
            #expect(digit.bytes == folder.read("kept/comparison.json"))
            let missing = try await changed(bundle) { copy in
                try change(copy) { $0.remove(at: $0.count - 2) }
            }
            #expect(missing.code == 1)
            #expect(missing.errors.hasSuffix("\(name): not in 'kept/samples.csv'\n"))
            let doubled = try await changed(bundle) { copy in
                try change(copy) { $0.insert($0[$0.count - 2], at: 1) }
            }
            #expect(doubled.code == 1)
            #expect(doubled.errors.hasSuffix("\(name): no message shows it\n"))
            let titles = try await changed(bundle) { copy in
                try change(copy) { $0[0] = $0[0].replacing(",bytes,", with: ",octets,") }
            }
            #expect(titles.code == 1)
            #expect(titles.errors.hasSuffix("'kept/samples.csv' has other columns\n"))
        }
    }

    @Test func `a changed message is reported`() async throws {
        try await withBundle { folder, bundle in
            // The answer to the query that was sent last. This query belongs to a round, not to the warm-up.
            // Answers to warm-up queries may arrive later.
            let answers = try bundle.frames.filter { !$0.isQuery }
            let answer = try #require(answers.max { $0.sent < $1.sent }?.response)
            let name = "messages-000001.fstrm"
            let changed = try await changed(bundle) { copy in
                var octets = Data(copy.folder.read("\(copy.name)/\(name)"))
                let place = try #require(octets.range(of: Data(answer), options: .backwards))
                // The response code of the answer becomes SERVFAIL.
                octets[place.lowerBound + 3] = octets[place.lowerBound + 3] & 0xf0 | 2
                try octets.write(to: URL(fileURLWithPath: "\(copy.path)/\(name)"))
            }
            #expect(changed.code == 1)
            let lines = changed.errors.split(separator: "\n")
            try #require(lines.count == 3, "\(changed.errors)")
            #expect(lines[0].hasSuffix(" samples recomputed from 12 messages: 2 differences"))
            #expect(lines[1].contains("rcode is 'SERVFAIL' by the messages, 'NOERROR' in the file"))
            #expect(lines[2] == "dnstempo: 'kept/comparison.json' differs from the messages")
        }
    }

    @Test func `a changed report is reported`() async throws {
        try await withBundle { folder, bundle in
            let run = try await changed(bundle) { copy in
                let text = copy.folder.text("\(copy.name)/comparison.json")
                try copy.folder.write(
                    text.replacing("\"meadow\"", with: "\"meadows\""),
                    to: "\(copy.name)/comparison.json"
                )
            }
            #expect(run.code == 1)
            let line = "dnstempo: 'kept/comparison.json' differs from the messages\n"
            #expect(run.errors.hasSuffix(line))
            #expect(run.bytes == folder.read("kept/comparison.json"))
        }
    }

    @Test func `a missing, shortened or invalid file is reported with one line`() async throws {
        try await withBundle { folder, bundle in
            func refused(_ code: Int32, _ line: String, _ body: (KeptBundle) throws -> Void)
                async throws
            {
                let run = try await changed(bundle, body)
                #expect(run.code == code && run.output == "")
                #expect(run.errors == "dnstempo: \(line)\n")
            }
            func remove(_ name: String) -> (KeptBundle) throws -> Void {
                { try FileManager.default.removeItem(atPath: "\($0.path)/\(name)") }
            }
            func cut(_ octets: Int) -> (KeptBundle) throws -> Void {
                {
                    let file = "\($0.path)/messages-000001.fstrm"
                    let whole = Data($0.folder.read("\($0.name)/messages-000001.fstrm"))
                    try whole.prefix(octets > 0 ? octets : whole.count + octets)
                        .write(to: URL(fileURLWithPath: file))
                }
            }
            let reason = "No such file or directory"
            try await refused(
                66,
                "'kept' has no plan.json: name a folder that --evidence wrote",
                remove("plan.json")
            )
            for name in ["context.json", "comparison.json", "samples.csv"] {
                try await refused(66, "cannot read 'kept/\(name)': \(reason)", remove(name))
            }
            try await refused(
                66,
                "'kept/messages-000001.fstrm' is not there: name a folder of --evidence, with all its "
                    + "files",
                remove("messages-000001.fstrm")
            )
            let broken =
                "'kept/messages-000001.fstrm' breaks off: the run that wrote it did not come to its end"
            // The file ends within the last message's frame, or before the control frame at the end.
            try await refused(65, broken, cut(-30))
            try await refused(65, broken, cut(-12))
            try await refused(
                65,
                "'kept/messages-000001.fstrm' is no file of dnstap frames: name a folder of --evidence",
                cut(10)
            )
        }
    }
}
