import Foundation
import Servers
import Testing

/// A folder with a file of test names in local zones. `run` checks resolvers with these names.
struct Checking {
    let folder: TemporaryFolder
    private let names: String

    /// The test names, which are below `test`. The tests' servers answer them or deny their existence.
    static let localNames = """
        nonexistent = ["test", "example"]
        nobody = ["192.0.2.1"]
        signed = "good.one.test A"
        large = "large.one.test TXT"
        whoami = ["whoami.test"]

        [[validation]]
        good = "good.one.test"
        bad = "bad.one.test"
        [[validation]]
        good = "good.two.test"
        bad = "bad.two.test"

        [[rebinding]]
        private = "private.rebind.test"
        public = "public.rebind.test"

        [[filtering]]
        name = "malware.blocked.test"
        by = "somebody"

        """

    init(replacing old: String = "", with new: String = "") throws {
        folder = TemporaryFolder()
        let text =
            old.isEmpty
            ? Self.localNames : Self.localNames.replacingOccurrences(of: old, with: new)
        try #require(old.isEmpty || Self.localNames.contains(old))
        names = try folder.write(text, to: "names.toml")
    }

    /// Checks `resolvers`, and returns the JSON. The rate is high, because the servers belong to the test.
    func run(_ resolvers: [String]) async throws -> JSON {
        let run = try await Command.succeedSilently(
            ["check", "--checks", names, "--rate", "500", "--format", "json"] + resolvers
        )
        return try JSON(run.output)
    }

    /// The judgement of one check for each of `resolvers`, in their order.
    func judgements(_ check: String, _ resolvers: [String]) async throws -> [String] {
        let report = try await run(resolvers)
        return try resolvers.map { resolver in
            let label = resolver.split(separator: "=").first.map(String.init) ?? resolver
            return try report.finding(check, of: label)["judgement"] as? String ?? ""
        }
    }
}

extension JSON {
    /// The result of one check for one resolver.
    func finding(_ check: String, of resolver: String) throws -> [String: Any] {
        let checks = try #require(try self.resolver(resolver)["checks"] as? [[String: Any]])
        return try #require(checks.first { $0["check"] as? String == check })
    }
}

/// unbound with signed zones and the other records that the checks query.
struct CheckedUnbound {
    let folder: TemporaryFolder
    private let zones: [SignedZone]

    init() async throws {
        folder = TemporaryFolder()
        zones = [
            try await SignedZone("one.test.", in: folder),
            try await SignedZone("two.test.", in: folder),
        ]
    }

    static let records = [
        "private.rebind.test. 300 IN A 10.0.0.1", "public.rebind.test. 300 IN A 8.8.8.8",
        "malware.blocked.test. 300 IN A 198.51.100.9",
    ]

    func server(
        validating: Bool = true,
        records: [String] = [],
        settings: [String] = []
    ) -> Unbound {
        .unbound(
            wildcards: [],
            records: Self.records + records,
            settings: settings + zones.unboundSettings(validating: validating)
        )
    }
}
