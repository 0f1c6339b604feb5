import Analysis
import DNSWire
import Foundation
import Reports
import Samples
import Statistics

/// The frequency with which a change is attributed to its true cause, from samples to the report. In each
/// history, one of five resolvers, or all of them, becomes slower or faster.
enum CauseErrors {
    private static let histories = 50

    static func printAll() {
        let causes: [[ChangeCause]] = [
            [.line], [.path], [.site], [.cache], [.connection], [.names], [.resolver],
            [.line, .path], [.line, .resolver], [.path, .resolver],
        ]
        for (place, injected) in causes.enumerated() {
            let found = Concurrently.map(Array(0..<histories)) { number in
                SlowedHistory(
                    causes: injected,
                    from: SplitMix64(
                        state: UInt64(place * histories + number) &* 0x2545_f491_4f6c_dd1d
                    )
                )
                .found
            }
            let expected = injected.count == 1 ? injected[0] : .mixed
            let right = found.count { $0 == expected }
            let missing = found.count { $0 == nil }
            let unsure = found.count { $0 != expected && ($0 == .mixed || $0 == .unknown) }
            let wrong = histories - right - missing - unsure
            let name = injected.map(\.rawValue).joined(separator: " + ")
            print("cause|\(name)|\(histories)|\(right)|\(unsure)|\(wrong)|\(missing)")
        }
    }
}

/// Twenty-two days of five resolvers, with a round every five minutes. The model has a daily cycle, a drift
/// and bursts of the line, jitter, misses and losses. From some hour on, one resolver differs.
private struct SlowedHistory {
    private static let resolvers = 5
    private static let roundsPerHour = 12
    private static let hours = 22 * 24
    private static let start = Timestamp(hoursSinceEpoch: 490_000)

    private let causes: [ChangeCause]
    private let names: Int
    /// The first hour of the change.
    private let hour: Int
    /// The milliseconds that each cause adds, from that hour on if the resolver becomes slower, otherwise
    /// until that hour.
    private let size: Double
    private let isSlower: Bool
    /// The scale of the jitter in milliseconds: wired or on Wi-Fi.
    private let jitter: Double
    /// The hour of an unrelated move to another site; `nil` without one.
    private let strayMove: Int?
    private var source: SplitMix64

    init(causes: [ChangeCause], from source: SplitMix64) {
        var source = source
        self.causes = causes
        names = causes == [.connection] ? 2 : 10
        hour = 17 * 24 + Int(48 * source.uniform())
        size = (6 + 14 * source.uniform()) / Double(causes.count)
        isSlower = source.uniform() < 0.7
        jitter = source.uniform() < 0.5 ? 0.3 : 1.5
        strayMove = source.uniform() < 0.1 ? Int(Double(Self.hours) * source.uniform()) : nil
        self.source = source
    }

    /// The cause that a report names; `nil` if the report lacks the change.
    var found: ChangeCause? {
        var source = source
        let recording = recording(from: &source)
        var hours = HistoryHours(clock: .utc)
        hours.add(CountedSamples(of: recording))
        let end = Self.start.advanced(by: .seconds(3600 * Self.hours))
        var changes = Changes(judging: hours, until: end)
        changes.explain(with: recording.answeringSites, known: []) { span in
            var part = recording
            part.samples.removeAll { !span.contains($0.moment) }
            var hours = CauseHours(clock: .utc)
            hours.add(CountedSamples(of: part))
            return hours
        }
        let changed = Self.start.hoursSinceEpoch + hour
        let finding = changes.findings.first {
            $0.target.label == "r0" && abs($0.change.hour - changed) <= 24
        }
        return finding.map { $0.change.kind.measure == .cache ? .cache : $0.cause?.cause } ?? nil
    }

    private func added(_ cause: ChangeCause, at hour: Int) -> Double {
        (hour >= self.hour) == isSlower && causes.contains(cause) ? size : 0
    }

    private func site(at hour: Int) -> String {
        if causes == [.site], hour >= self.hour { return "fra" }
        return strayMove.map { hour >= $0 } == true ? "lhr" : "ams"
    }

    private func recording(from source: inout SplitMix64) -> Recording {
        let series: Series = causes == [.connection] ? .first : .cached
        var recording = Recording(
            runs: [Run(id: "r", vantage: "here", timeout: .seconds(5))],
            targets: (0..<Self.resolvers).map {
                Recording.Target(
                    label: "r\($0)",
                    endpoint: "192.0.\($0).1:53",
                    transport: "udp",
                    series: series
                )
            },
            questions: (0..<names).compactMap { name in
                (try? DomainName("n\(name).example")).map { Question(name: $0, type: .a) }
            }
        )
        var (drift, burst, left) = (0.0, 0.0, 0)
        for round in 0..<(Self.hours * Self.roundsPerHour) {
            let hour = round / Self.roundsPerHour
            drift = 0.998 * drift + 0.05 * source.normal()
            if left == 0, source.uniform() < 0.002 {
                (burst, left) = (20 + 60 * source.uniform(), 3 + Int(10 * source.uniform()))
            }
            left = max(0, left - 1)
            let cycle = 2 * sin(2 * .pi * Double(hour % 24) / 24)
            let line = drift + cycle + (left > 0 ? burst : 0) + added(.line, at: hour)
            let moment = Self.start.advanced(by: .seconds(300 * round))
            for resolver in 0..<Self.resolvers {
                for name in 0..<names {
                    recording.samples.append(
                        Sample(
                            round: Int32(round),
                            target: Int32(resolver),
                            question: Int32(name),
                            scheduled: moment.advanced(by: .milliseconds(100 * name)),
                            observation: observation(of: resolver, name, at: hour, line, &source)
                        )
                    )
                }
            }
            recording.rounds.append(Round(number: Int32(round + 1)))
        }
        return recording
    }

    /// Returns the result of a round's warm-up. A changed cache has twice as many misses.
    private func warmup(
        of resolver: Int,
        at hour: Int,
        _ way: Double,
        _ source: inout SplitMix64
    ) -> WarmupTally {
        let isRare = resolver != 0 || added(.cache, at: hour) == 0
        let misses = (0..<names).count { _ in source.uniform() < (isRare ? 0.25 : 0.5) }
        return WarmupTally(
            hits: UInt32(names - misses),
            misses: UInt32(misses),
            missTime: misses > 0 ? Int64(1e6 * (way + 40)) : nil
        )
    }

    private func observation(
        of resolver: Int,
        _ name: Int,
        at hour: Int,
        _ line: Double,
        _ source: inout SplitMix64
    ) -> Observation {
        guard source.uniform() >= 0.005 else { return Observation(outcome: .timeout) }
        let isChanged = resolver == 0
        let path = isChanged ? added(.path, at: hour) + added(.site, at: hour) : 0
        let way = 25 + 3 * Double(resolver) + line + path
        var own = 3 + 0.2 * Double(name) + (isChanged ? added(.resolver, at: hour) : 0)
        if isChanged, name < 4 { own += 2.5 * added(.names, at: hour) }
        var observation = Observation(outcome: .answered, clock: .kernel)
        observation.cache = .hit
        if source.uniform() < 0.04 {
            own += 20 * exp(0.5 * source.normal())
            observation.cache = .miss
        }
        func jittered(_ time: Double, _ source: inout SplitMix64) -> Int64 {
            Int64(1e6 * max(0.1, time + jitter * exp(0.8 * source.normal())))
        }
        observation.roundTrip = jittered(way + own, &source)
        if name == 0 {
            let opening = isChanged ? added(.connection, at: hour) : 0
            let isFirst = causes == [.connection]
            observation.extras = .init(
                connect: isFirst ? jittered(way, &source) : nil,
                handshake: isFirst ? jittered(way + opening, &source) : nil,
                site: isChanged ? site(at: hour) : "ams",
                networkRTT: jittered(way, &source),
                warmup: isFirst ? nil : warmup(of: resolver, at: hour, way, &source)
            )
        } else if causes == [.connection] {
            observation.extras = .init(
                connect: jittered(way, &source),
                handshake: jittered(way + (isChanged ? added(.connection, at: hour) : 0), &source)
            )
        }
        return observation
    }
}
