import Foundation
import Samples
import Store

/// Commands that read the rounds of a place, whose outputs must agree.
struct Readings {
    private let world: World
    private let place: Place
    /// The rounds whose samples the store still has.
    private let kept: [Expected.Entry]
    /// Whether all rounds were measured here, and none was merged.
    private let isOfOnePlace: Bool
    private let since: String
    private let until: String

    /// `nil` if the place has no sample.
    init?(_ world: World, at place: Place) {
        kept = place.expected.rounds.values.filter { !$0.isPruned }
        let moments = kept.flatMap { $0.recording.samples.map(\.moment.nanoseconds) }
        guard let first = moments.min(), let last = moments.max() else { return nil }
        let day: Int64 = 86_400_000_000_000
        (self.world, self.place) = (world, place)
        isOfOnePlace = place.expected.rounds.values.allSatisfy {
            $0.recording.runs[0].vantage == place.vantage
        }
        since = Timestamp(nanoseconds: first - day).text
        until = Timestamp(nanoseconds: last + day).text
    }

    /// Runs the commands one after the other, and compares them.
    func check() throws {
        let file = "\(place.folder)/\(world.random.isOnce(in: 2) ? "all.csv" : "all.jsonl")"
        let copy = "\(place.folder)/copy.sqlite"
        defer {
            for path in [file, copy, "\(copy)-wal", "\(copy)-shm"] {
                try? FileManager.default.removeItem(atPath: path)
            }
        }
        _ = try run(["export", place.store, "--origin", "all", "-o", file])
        for _ in 0..<2 { _ = try run(["store", "import", file, "--store", copy, "-q"]) }
        try checkCopy(copy)
        let isWhole = kept.count == place.expected.rounds.count
        let counts = counts
        for path in [file, copy] + (isWhole ? [place.store] : []) {
            try compare(report(path), with: counts, of: path)
        }
        if !place.isPruned {
            let own = try report(place.store, "--exact")
            for path in [file, copy] {
                let other = try report(path, "--exact")
                guard own != other else { continue }
                let differing =
                    own.filter { !other.contains($0) } + other.filter { !own.contains($0) }
                throw Violation(
                    "the exact reports of \(path) and of its store differ: \(differing)"
                )
            }
        }
        if place.resolvers.count > 1 { try checkVerdicts(isWhole ? place.store : copy) }
        _ = try run(["store", "info", "--store", place.store])
        _ = try run(["store", "check", "--store", place.store])
        _ = try run(["report", place.store, "--changes"] + window)
    }

    /// The report of the central store has the numbers of the place's own report, and the central store is
    /// intact.
    func checkCentre(_ url: String) throws {
        guard isOfOnePlace else { return }
        let own = try numbers(of: report(place.store, "--vantage", place.vantage))
        try compare(report(url, "--vantage", place.vantage), with: own, of: url)
        _ = try run(["store", "check", "--store", url])
    }

    private var window: [String] { ["--since", since, "--until", until, "--origin", "all"] }

    private func run(_ words: [String], codes: Set<Int32> = [0]) throws -> String {
        let process = try world.run(words, at: place, within: 60_000_000_000)
        guard let code = process.code, codes.contains(code) else {
            throw Violation("an exit code of \(words.joined(separator: " ")): \(process.errors)")
        }
        return process.output
    }

    /// The store that was made of the export has the same rounds.
    private func checkCopy(_ path: String) throws {
        var expected = Expected()
        for entry in kept { expected.add(entry) }
        let check = try StoreCheck(path, .full)
        guard check.findings.isEmpty else {
            throw Violation("store check of a copy: \(check.findings.joined(separator: "; "))")
        }
        do {
            try check.compare(with: expected)
        } catch { throw Violation("in a copy that was exported and imported: \(error)") }
    }

    // MARK: Reports

    /// What a row of a report says, in the words of its JSON.
    private typealias Row = [String: NSObject]

    private func report(_ path: String, _ more: String...) throws -> [Row] {
        // The rounds of a file have no origin.
        let isFile = path.hasSuffix(".csv") || path.hasSuffix(".jsonl")
        let window = isFile ? Array(window.dropLast(2)) : window
        let text = try run(["report", path, "--format", "json"] + window + more)
        let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8))
        guard let document = parsed as? [String: Any], let rows = document["rows"] as? [Row] else {
            throw Violation("a report without rows: \(text.prefix(200))")
        }
        return rows
    }

    /// The numbers of sent and answered queries to each resolver.
    private var counts: [String: [Int]] {
        var counts: [String: [Int]] = [:]
        for entry in kept where entry.recording.rounds[0].isCounted {
            for sample in entry.recording.samples {
                let outcome = sample.observation.outcome
                let label = label(entry.recording.targets[Int(sample.target)].label)
                var found = counts[label] ?? [0, 0, 0]
                if outcome.wasSent { found[0] += 1 }
                if outcome == .answered { found[1] += 1 }
                if outcome == .timeout { found[2] += 1 }
                counts[label] = found
            }
        }
        return counts
    }

    /// In reports of several places, resolvers have other labels. Only their sums are compared then.
    private func label(_ label: String) -> String { isOfOnePlace ? label : "all" }

    /// The same numbers in the rows of a report.
    private func numbers(of rows: [Row]) -> [String: [Int]] {
        var found: [String: [Int]] = [:]
        for row in rows {
            guard let text = row["resolver"] as? String else { continue }
            let label = label(text)
            let numbers = ["sent", "answered", "timeouts"].map { (row[$0] as? Int) ?? -1 }
            found[label] = zip(found[label] ?? [0, 0, 0], numbers).map { $0 + $1 }
        }
        return found
    }

    private func compare(_ rows: [Row], with wanted: [String: [Int]], of path: String) throws {
        let found = numbers(of: rows)
        for (label, numbers) in wanted where found[label] != numbers {
            throw Violation(
                "the report of \(path) has \(found[label] ?? []) queries to \(label), not \(numbers)"
            )
        }
        for (label, numbers) in found where wanted[label] == nil && numbers != [0, 0, 0] {
            throw Violation("the report of \(path) has \(label), which nothing measured")
        }
    }

    // MARK: Verdicts

    private func checkVerdicts(_ path: String) throws {
        let margin = world.random.pick([0, 5, 50])
        let words = [
            "report", path, "--baseline", "alpha", "--vantage", place.vantage, "--margin",
            "\(margin)ms",
            "--format", "json",
        ]
        let text = try run(words + window, codes: [0, 64, 65, 66, 69])
        try Self.checkVerdicts(in: text, margin: margin)
    }

    /// No verdict of a comparison contradicts its own interval.
    static func checkVerdicts(in text: String, margin: Int) throws {
        let parsed = try? JSONSerialization.jsonObject(with: Data(text.utf8))
        let document = parsed as? [String: Any]
        for comparison in document?["comparisons"] as? [[String: Any]] ?? [] {
            let ends = comparison["ci_ms"] as? [Any] ?? []
            let low = ends.first as? Double ?? -.infinity
            let high = ends.last as? Double ?? .infinity
            let (verdict, reason) = (
                comparison["verdict"] as? String, comparison["reason"] as? String
            )
            let border = Double(margin)
            // An infinite end of the interval is null, like an open one.
            if comparison["median_difference_ms"] is NSNull { continue }
            let isSound =
                switch (verdict, reason) {
                case ("switch", "faster"): low >= border - 1e-6
                case ("keep", "slower"): high <= border + 1e-6
                case ("too-close", _): low <= border + 1e-6 && high >= border - 1e-6
                default: low <= high
                }
            guard isSound else {
                throw Violation(
                    "the verdict \(verdict ?? "") (\(reason ?? "")) with the interval \(low) to \(high) "
                        + "and the margin \(margin): \(comparison)"
                )
            }
        }
    }
}

extension Timestamp {
    /// The time as an option's value, in whole minutes of UTC.
    fileprivate var text: String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "yyyy-MM-dd'T'HH:mm'Z'"
        return formatter.string(from: Date(timeIntervalSince1970: Double(nanoseconds) / 1e9))
    }
}
