import ArgumentParser
import Catalogue
import RemoteWrite
import Reports
import Runs
import Samples
import Store

extension StoreCommand {
    struct RemoteWrite: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remote-write",
            abstract:
                "Write stored rounds to a Prometheus remote-write receiver again.",
            discussion: """
                A round always has the same figures and times, so nothing counts twice. Receivers \
                may reject rounds that are older than their newest data. The store is only read.

                Examples:
                  dnstempo store remote-write --since 7d --to http://127.0.0.1:9090/api/v1/write
                  dnstempo store remote-write --to http://127.0.0.1:9090/api/v1/write
                """
        )

        @Option(help: "Receiver.".naming("url"))
        var to: String

        @OptionGroup var token: RemoteWriteTokenOption

        @Option(
            help: """
                Beginning: 7d, 36h, 2w, 2mo or 1y (ago), 2026-05-01, 2026-05-01T14:30 or with Z. \
                (default: all)
                """.naming("moment")
        )
        var since: String?

        @Option(
            help: "Rounds of sample, watch, compare, import, or all. (default: sample,watch)"
                .naming("list"),
            completion: .origins
        )
        var origin: String?

        @OptionGroup var named: NamedStore
        @OptionGroup var reach: ReachOption

        @Flag(name: [.short, .long], help: "Print errors only.")
        var quiet = false

        func run() async throws {
            let receiver = try token.receiver(
                to,
                within: reach.allowed(UserConfiguration.current())
            )
            let store = try Store(path: named.path(), access: .readOnly)
            let result = try write(rounds(of: store), of: store, to: receiver)
            guard !quiet else { return }
            try Terminal.output.write(result.summary(receiver) + "\n")
        }

        private func rounds(of store: Store) throws -> [StoredRound] {
            let start = try start()
            let origins = try Run.Origin.list(origin, usual: Run.Origin.usual)
            return try store.rounds(Store.Window(since: start, origins: origins))
                .filter { $0.round.started >= start }
        }

        private func start() throws -> Timestamp {
            guard let since else { return Timestamp(nanoseconds: .min) }
            return try WindowContext(
                since: since,
                until: "now",
                span: nil,
                last: nil,
                now: .now,
                toolVersion: Version.text
            ).window.lowerBound
        }

        private func write(
            _ rounds: [StoredRound],
            of store: Store,
            to receiver: Receiver
        ) throws -> RemoteWriter.Result {
            var writer = RemoteWriter(to: try receiver.connection(for: .remoteWrite))
            try writer.write(rounds, of: store)
            return writer.result
        }
    }
}

extension RemoteWriter.Result {
    fileprivate func summary(_ receiver: Receiver) -> String {
        var parts = [
            "\(rounds.counted("round")), \(samples.counted("sample")) written to "
                + EscapedText.terminal(receiver.address.place)
        ]
        if let refusedParts { parts.append("it refused \(refusedParts)") }
        if pruned > 0 { parts.append("\(pruned.counted("round")) pruned") }
        return parts.joined(separator: "; ")
    }
}
