import DNSWire
import Dashboard
import Samples
import Servers
import Statistics
import Store
import Testing

/// The metrics of a store over its whole life.
@Suite struct MetricsTests {
    private let target = Recording.Target(
        label: "home",
        endpoint: "127.0.0.1:53",
        transport: "udp",
        series: .cached
    )

    /// 2026-11-21T03:00:00Z
    private let start = Timestamp(nanoseconds: 1_795_230_000_000_000_000)

    private func withStore(_ body: (Store) throws -> Void) throws {
        let folder = TemporaryFolder()
        try body(try Store(path: folder.file("s.sqlite")))
    }

    /// Stores one round with these times in milliseconds. `nil` is a timeout.
    private func append(
        _ times: [Double?],
        to store: Store,
        number: Int = 1,
        origin: Run.Origin = .sample,
        hour: Int = 0,
        vantage: String = "here",
        flags: SampleFlags = []
    ) throws {
        let begin = start.advanced(by: .seconds(3600 * hour))
        let samples = times.enumerated().map { index, time in
            let scheduled = begin.advanced(by: .milliseconds(100 * index))
            var observation = Observation(outcome: time == nil ? .timeout : .answered)
            observation.sent = scheduled
            if !flags.isEmpty { observation.extras = .init(flags: flags) }
            observation.roundTrip = time.map { Int64($0 * 1e6) }
            return Sample(
                round: 0,
                target: 0,
                question: 0,
                scheduled: scheduled,
                observation: observation
            )
        }
        try store.append(
            Recording(
                runs: [
                    Run(
                        id: "\(origin)\(vantage == "here" ? "" : vantage)",
                        vantage: vantage,
                        timeout: .seconds(5),
                        origin: origin,
                        started: start
                    )
                ],
                rounds: [Round(number: Int32(number))],
                targets: [target],
                questions: [Question(name: try DomainName("example.com"), type: .a)],
                samples: samples
            )
        )
    }

    /// The figures by their names with labels.
    private func figures(_ store: Store) throws -> [String: Double] {
        let text = try Metrics.text(of: store, version: "1.2.3")
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .reduce(into: [:]) { figures, line in
                guard let space = line.lastIndex(of: " ") else { return }
                let value = Double(line[line.index(after: space)...])
                figures[String(line[..<space])] = value
            }
    }

    private let labels =
        "resolver=\"home\",endpoint=\"127.0.0.1:53\",transport=\"udp\",series=\"cached\""

    @Test func `an empty store has a version and nothing else`() throws {
        try withStore { store in
            let figures = try figures(store)
            #expect(figures == ["dnstempo_build_info{version=\"1.2.3\"}": 1])
        }
    }

    @Test func `counters and the histogram match the stored rounds`() throws {
        try withStore { store in
            try append([10, 20, nil, 30], to: store)
            let figures = try figures(store)
            #expect(figures["dnstempo_queries_total{\(labels),outcome=\"answered\"}"] == 3)
            #expect(figures["dnstempo_queries_total{\(labels),outcome=\"timeout\"}"] == 1)
            #expect(figures["dnstempo_queries_total{\(labels),outcome=\"blocked\"}"] == 0)
            let name = "dnstempo_query_duration_seconds"
            #expect(figures["\(name)_bucket{\(labels),le=\"0.008\"}"] == 0)
            #expect(figures["\(name)_bucket{\(labels),le=\"0.0125\"}"] == 1)
            #expect(figures["\(name)_bucket{\(labels),le=\"10\"}"] == 3)
            #expect(figures["\(name)_bucket{\(labels),le=\"+Inf\"}"] == 4)
            #expect(figures["\(name)_count{\(labels)}"] == 4)
            let sum = try #require(figures["\(name)_sum{\(labels)}"])
            #expect(abs(sum - 5.060) < 1e-9)
            let last = try #require(figures["dnstempo_last_query_timestamp_seconds"])
            #expect(abs(last - 1_795_230_000.3) < 1e-3)
        }
    }

    @Test func `each of several places has its own figures`() throws {
        try withStore { store in
            try append([10, 20], to: store)
            try append([30], to: store, vantage: "there")
            let figures = try figures(store)
            let name = "dnstempo_query_duration_seconds_count"
            #expect(figures["\(name){\(labels),vantage=\"here\"}"] == 2)
            #expect(figures["\(name){\(labels),vantage=\"there\"}"] == 1)
            #expect(figures["\(name){\(labels)}"] == nil)
        }
    }

    @Test func `an objective covers the last seven days`() throws {
        try withStore { store in
            try append([10, 90], to: store)
            try append([10, 20, nil, 80], to: store, number: 2, hour: 24 * 8)
            try append([30, 30], to: store, number: 3, hour: 24 * 8 + 1)
            let now = start.advanced(by: .seconds(3600 * (24 * 8 + 2)))
            let objective = try #require(
                ServiceObjective(limit: 50, target: 0.995, isQuantile: false)
            )
            let text = try Metrics.text(of: store, version: "1", objective: (objective, now))
            let label = "objective=\"answered within 50 ms >= 99.5 %\""
            #expect(text.contains("dnstempo_objective_target_ratio{\(label)} 0.995\n"))
            let share = 4.0 / 6
            #expect(text.contains("dnstempo_objective_ratio{\(labels),\(label)} \(share)\n"))
            #expect(try !Metrics.text(of: store, version: "1").contains("objective"))
        }
    }

    @Test func `answers of unverified origin are counted`() throws {
        try withStore { store in
            try append([10, nil], to: store)
            #expect(try !figures(store).keys.contains { $0.contains("unverified") })
            try append([10, 20, nil], to: store, number: 2, flags: .unverified)
            let name = "dnstempo_unverified_answers_total{\(labels)}"
            #expect(try figures(store)[name] == 2)
        }
    }

    @Test func `no counter falls when rounds arrive and samples are pruned`() throws {
        try withStore { store in
            var before: [String: Double] = [:]
            for hour in 0..<30 {
                let slow = Double(hour) * 7 + 0.3
                try append([slow, nil, 12], to: store, number: hour + 1, hour: hour)
                if hour == 20 {
                    let moment = start.advanced(by: .seconds(15 * 3600))
                    #expect(try store.prune(olderThan: moment) == 45)
                }
                let now = try figures(store)
                for (name, value) in before { #expect(value <= now[name, default: -1], "\(name)") }
                before = now
            }
            #expect(before["dnstempo_query_duration_seconds_count{\(labels)}"] == 90)
        }
    }

    @Test func `the metrics exclude runs other than sampling and watching`() throws {
        try withStore { store in
            try append([10], to: store, origin: .compare)
            try append([10], to: store, origin: .imported)
            try append([10], to: store, origin: .watch)
            try append([10], to: store, origin: .sample)
            let name = "dnstempo_query_duration_seconds_count{\(labels)}"
            #expect(try figures(store)[name] == 2)
        }
    }
}
