import DNSWire
import Samples
import Servers
import Store
import Testing

struct StoredRoundsTests {
    /// The installation time of the schedule that `install` writes: 2020-01-01T00:00:00Z.
    private static let installed = Timestamp(nanoseconds: 1_577_836_800_000_000_000)
    private static let day: Int64 = 86_400_000_000_000

    @Test func `status counts the slots in which no scheduled round was stored`() async throws {
        let sandbox = try ScheduleSandbox()
        let path = sandbox.folder.file("rounds.sqlite")
        let store = try Store(path: path, durability: .off)
        // A round at noon is in the slot of its day. Two rounds in one slot count once, and a comparison does
        // not count.
        try append(to: store, days: [1.5, 2, 3.5, 3.75], origin: .sample)
        try append(to: store, days: [5, 9], origin: .compare)
        try install(in: sandbox, store: path)
        let output = try await sandbox.run("status")
        #expect(output.output.contains("\nlast round  2020-01-04 18:00\n"))
        let missed = output.output.split(separator: "\n").first { $0.hasPrefix("missed") }
        let counts = try #require(missed).dropFirst("missed      ".count)
            .split(separator: " of ").compactMap { Int($0) }
        #expect(counts.count == 2)
        #expect(counts.first.map { $0 + 3 } == counts.last)
    }

    @Test func `schedules that share a store are distinguished by name`() async throws {
        let sandbox = try ScheduleSandbox()
        let path = sandbox.folder.file("rounds.sqlite")
        let store = try Store(path: path, durability: .off)
        try append(to: store, days: [1.5], origin: .sample, schedule: "home")
        try append(to: store, days: [2.5, 3.5], origin: .sample, schedule: "work")
        try append(to: store, days: [8.5], origin: .sample)
        for (schedule, last) in [("home", "2020-01-02 12:00"), ("work", "2020-01-04 12:00")] {
            try install(in: sandbox, store: "\(path) --schedule \(schedule)")
            let output = try await sandbox.run("status")
            #expect(output.output.contains("\nlast round  \(last)\n"), "\(output.output)")
        }
        // A schedule whose command has no `--schedule` counts all scheduled rounds of the store.
        try install(in: sandbox, store: path)
        let output = try await sandbox.run("status")
        #expect(output.output.contains("\nlast round  2020-01-09 12:00\n"))
    }

    @Test func `status shows the schedule if the store cannot be read`() async throws {
        let sandbox = try ScheduleSandbox()
        let path = try sandbox.folder.write("no store", to: "rounds.sqlite")
        try install(in: sandbox, store: path)
        let output = try await sandbox.run("status")
        #expect(output.code == 0)
        #expect(output.output.contains("\nlast round  unknown: "))
        #expect(output.output.contains("\nmissed      unknown\n"))
        #expect(output.output.contains(path))
        #expect(sandbox.folder.text("rounds.sqlite") == "no store")
    }

    private func install(in sandbox: ScheduleSandbox, store: String) throws {
        let block = """
            # BEGIN dnstempo schedule default: every 1d, installed 2020-01-01T00:00:00Z
            0 0 * * * /bin/true sample -q --store \(store)
            # END dnstempo schedule default

            """
        try sandbox.folder.write(block, to: "tab")
    }

    private func append(
        to store: Store,
        days: [Double],
        origin: Run.Origin,
        schedule: String? = nil
    ) throws {
        let run = Run(
            id: origin.description + (schedule ?? ""),
            vantage: "here",
            timeout: .seconds(5),
            origin: origin,
            started: Self.installed,
            schedule: schedule
        )
        let target = Recording.Target(
            label: "a",
            endpoint: "127.0.0.1:53",
            transport: "udp",
            series: .cached
        )
        let question = Question(name: try DomainName("example.com"), type: .a)
        for (index, day) in days.enumerated() {
            let sample = Sample(
                round: 0,
                target: 0,
                question: 0,
                scheduled: Self.installed.advanced(by: .nanoseconds(Int64(day * Double(Self.day)))),
                observation: Observation(outcome: .timeout)
            )
            try store.append(
                Recording(
                    runs: [run],
                    rounds: [Round(number: Int32(index + 1), started: sample.scheduled)],
                    targets: [target],
                    questions: [question],
                    samples: [sample]
                )
            )
        }
    }
}
