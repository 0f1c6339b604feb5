import Foundation
import Servers
import Testing

/// Bundles with manipulated content.
@Suite struct HostileBundleTests {
    /// The keys and indices that lead to a value, and the new value as JSON.
    private typealias Change = (place: [String], value: String)

    private static let (many, few) = (Int64.max, Int64.min)
    private static let pattern = "((x{255}){255}){255}"

    private static let plans: [Change] = [
        (["plan", "zoneCount"], "-1"), (["plan", "zoneCount"], "\(many)"),
        (["plan", "zoneCount"], "\(few)"),
        (["plan", "questionsAtOnce"], "\(many)"), (["plan", "questionsAtOnce"], "\(few)"),
        (["plan", "rate"], "0"), (["plan", "totalRate"], "-1"),
        (["plan", "timeout"], "[-1, 0]"), (["plan", "timeout"], "[\(many), 0]"),
        (["plan", "interval"], "[-1, 0]"), (["plan", "rounds"], "-\(many)"),
        (["plan", "warmup"], "\(many)"),
        (["plan", "targets"], "[]"), (["plan", "questions"], "[]"),
        (["plan", "targetGroups"], "[0, 0]"),
        (["plan", "questions", "0", "name"], #""\u001b[31m""#),
        (["plan", "seed"], "-1"), (["plan", "sampling"], #""\n""#), (["endpoints"], "[]"),
        (["endpoints", "0", "address"], "\"localhost\""), (["endpoints", "0", "port"], "65536"),
        (["expectations"], "{\"0\": {\"pattern\": \"\(pattern)\"}}"),
        (["expectations"], "{\"x\": {\"data\": []}}"), (["run", "timeout"], "[\(few), 0]"),
        (["run", "started"], "\"now\""), (["run"], "1"),
    ]

    private static let contexts: [Change] = [
        (["finished", "nanoseconds"], "\(UInt64.max)"), (["plan", "interval"], "[\(many), 0]"),
        (["plan", "timeout"], "[\(few), 0]"), (["plan", "pace", "rate"], "\"NaN\""),
        (["rules", "alpha"], "0"), (["rules", "margin"], "-1"),
        (["floors", "1", "roundTrip"], "[\(many), 0]"),
        (["floors", "1", "port"], "-1"), (["instrument", "clocks"], "[0, \(many)]"),
        (["instrument", "roundTrips"], "[]"), (["clockStep"], "[\(many), \(many)]"),
    ]

    /// Replaces the value at `place` in the file `name` of a bundle.
    private func put(_ change: Change, in name: String, of bundle: KeptBundle) throws {
        let value = try JSONSerialization.jsonObject(
            with: Data(change.value.utf8),
            options: .fragmentsAllowed
        )
        func changed(_ old: Any?, _ place: ArraySlice<String>) -> Any {
            guard let key = place.first else { return value }
            if var list = old as? [Any], let index = Int(key) {
                list[index] = changed(list[index], place.dropFirst())
                return list
            }
            var table = old as? [String: Any] ?? [:]
            table[key] = changed(table[key], place.dropFirst())
            return table
        }
        let octets = Data(bundle.folder.read("\(bundle.name)/\(name)"))
        let object = changed(try JSONSerialization.jsonObject(with: octets), change.place[...])
        try JSONSerialization.data(withJSONObject: object)
            .write(to: URL(fileURLWithPath: "\(bundle.path)/\(name)"))
    }

    /// Expects that each change to the file is rejected with one line.
    private func expectRefused(_ changes: [Change], _ file: String) async throws {
        let folder = TemporaryFolder()
        let words = ["--lab", "meadow", "-d", "a.test", "-d", "b.test", "--rounds", "1"]
        let bundle = try await KeptBundle.comparing(words, in: folder)
        let whole = folder.text("kept/\(file)")
        for change in changes {
            try folder.write(whole, to: "kept/\(file)")
            try put(change, in: file, of: bundle)
            let run = try await bundle.recompute()
            #expect(run.code == 65 && run.output == "", "\(change)")
            #expect(
                run.errors
                    == "dnstempo: 'kept/\(file)' is not a part of a bundle that this version wrote "
                    + "with --evidence\n",
                "\(change)"
            )
        }
    }

    @Test func `a plan that no run writes is rejected with one line`() async throws {
        try await expectRefused(Self.plans, "plan.json")
    }

    @Test func `a context that no report writes is rejected with one line`() async throws {
        try await expectRefused(Self.contexts, "context.json")
    }

    private static let files = [
        "plan.json", "context.json", "samples.csv", "comparison.json", "messages-000001.fstrm",
    ]

    @Test(arguments: files)
    func `a pipe, device or folder is rejected without waiting`(name: String) async throws {
        let folder = TemporaryFolder()
        let words = ["--lab", "meadow", "-d", "a.test", "--rounds", "1"]
        let bundle = try await KeptBundle.comparing(words, in: folder)
        let path = "\(bundle.path)/\(name)"
        let files = FileManager.default
        let others: [(kind: String, make: () throws -> Void)] = [
            ("pipe", { try #require(unsafe mkfifo(path, 0o600) == 0) }),
            (
                "device",
                { try files.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero") }
            ),
            (
                "folder",
                { try files.createDirectory(atPath: path, withIntermediateDirectories: false) }
            ),
        ]
        for other in others {
            try files.removeItem(atPath: path)
            try other.make()
            let run = try await bundle.recompute()
            #expect(run.code == 65 && run.output == "", "\(other.kind)")
            #expect(
                run.errors
                    == "dnstempo: 'kept/\(name)' is not a regular file: name a folder that "
                    + "--evidence wrote\n",
                "\(other.kind)"
            )
        }
    }

    @Test func `an oversized file is not read into memory`() async throws {
        let folder = TemporaryFolder()
        let words = ["--lab", "meadow", "-d", "a.test", "--rounds", "1"]
        let bundle = try await KeptBundle.comparing(words, in: folder)
        let larger: [(name: String, code: Int32, line: String)] = [
            ("plan.json", 65, "'kept/plan.json' is larger than 16 MB; give another file"),
            ("context.json", 65, "'kept/context.json' is larger than 16 MB; give another file"),
            (
                "samples.csv", 65,
                "'kept/samples.csv' is larger than a run with these messages writes it: name a "
                    + "folder that --evidence wrote"
            ),
            (
                "comparison.json", 1,
                "1 sample recomputed from 4 messages: 1 difference\ndnstempo: "
                    + "'kept/comparison.json' differs from the messages"
            ),
        ]
        for (name, code, line) in larger {
            let path = "\(bundle.path)/\(name)"
            let whole = folder.text("kept/\(name)")
            // A sparse file takes no space on the disk.
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try file.truncate(atOffset: 20 << 30)
            try file.close()
            let run = try await bundle.recompute()
            #expect(run.code == code, "\(name)")
            #expect(run.errors == "dnstempo: \(line)\n")
            try folder.write(whole, to: "kept/\(name)")
        }
    }

    @Test func `hostile text in bundles is printed without control characters`() async throws {
        let folder = TemporaryFolder()
        let words = ["--lab", "meadow", "-d", "a.test", "--rounds", "1"]
        let bundle = try await KeptBundle.comparing(words, in: folder)
        let hostile = #""\u001b[31mx\r\u202e""#
        for place in [["run", "vantage"], ["plan", "targets", "0", "label"], ["run", "id"]] {
            try put((place, hostile), in: "plan.json", of: bundle)
        }
        for place in [["vantage"], ["command"], ["chartCommand"], ["toolVersion"]] {
            try put((place, hostile), in: "context.json", of: bundle)
        }
        try put((["started", "nanoseconds"], "\(Self.few)"), in: "context.json", of: bundle)
        try put((["finished", "nanoseconds"], "\(Self.many)"), in: "context.json", of: bundle)
        let run = try await bundle.recompute([])
        #expect(run.code == 1)
        for text in [run.output, run.errors] {
            #expect(
                !text.unicodeScalars.contains { "\u{1b}\r\u{202e}".unicodeScalars.contains($0) }
            )
        }
    }
}
