import Foundation
import Statistics

/// How often a change is laid to the cause that it has: of histories of five resolvers by ten names, a
/// round every five minutes, with the course of a day, a drift of the line and jitter.
enum CauseErrors {
    private static let histories = 50
    private static let hours = 16 * 24
    private static let start = 14 * 24
    private static let names = 10

    static func printAll() {
        for cause in [ChangeCause.line, .path, .site, .connection, .names, .resolver, .mixed] {
            var counts: [ChangeCause: Int] = [:]
            for number in 0..<histories {
                var source = SplitMix64(state: UInt64(1000 * number) + UInt64(cause.hashed))
                let found = history(of: cause, from: &source).finding().cause
                counts[found, default: 0] += 1
            }
            let right = counts[cause] ?? 0
            let unsure = (counts[.mixed] ?? 0) + (counts[.unknown] ?? 0)
            let open = cause == .mixed ? counts[.unknown] ?? 0 : unsure
            print("cause|\(cause)|\(histories)|\(right)|\(open)|\(histories - right - open)")
        }
    }

    private static func history(
        of cause: ChangeCause,
        from source: inout SplitMix64
    ) -> CauseEvidence {
        let size = 6 + 14 * source.uniform()
        var drift = 0.0
        let line = (0..<hours).map { hour in
            drift = 0.98 * drift + 0.15 * source.normal()
            let course = 2 * sin(2 * .pi * Double(hour % 24) / 24)
            return drift + course + (cause == .line && hour >= start ? size : 0)
        }
        func added(_ causes: ChangeCause..., at hour: Int) -> Double {
            guard hour >= start else { return 0 }
            if cause == .mixed {
                return causes.contains(.path) || causes.contains(.resolver) ? size / 2 : 0
            }
            return causes.contains(cause) ? size : 0
        }
        var evidence = CauseEvidence(
            hours: (0..<hours).map { $0 % 24 },
            before: 0..<start,
            after: start..<(start + 12)
        )
        evidence.names = (0..<names).map { name in
            let own = cause == .names && name < 4 ? size * 2.5 : 0
            return (0..<hours).map { hour in
                let way = line[hour] + added(.path, at: hour) + added(.site, at: hour)
                let slow = added(.resolver, at: hour) + (hour >= start ? own : 0)
                return way + slow + typical(20 + Double(name), part: 0.25, from: &source)
            }
        }
        evidence.floor = (0..<hours).map { hour in
            line[hour] + added(.path, at: hour) + added(.site, at: hour)
                + typical(16, part: 0.5, from: &source)
        }
        evidence.others = (0..<4).map { other in
            (0..<hours).map { line[$0] + typical(15 + Double(other), part: 0.5, from: &source) }
        }
        evidence.otherFloors = (0..<4).map { other in
            (0..<hours).map { line[$0] + typical(12 + Double(other), part: 0.5, from: &source) }
        }
        if cause == .connection {
            evidence.openings = (0..<hours).map { hour in
                2 * line[hour] + added(.connection, at: hour)
                    + 2 * typical(16, part: 0.5, from: &source)
            }
        }
        evidence.isSiteMoved = cause == .site
        return evidence
    }

    /// A quantile of an hour's twelve rounds around `base`.
    private static func typical(
        _ base: Double,
        part: Double,
        from source: inout SplitMix64
    ) -> Double {
        let times = (0..<12).map { _ in base + 1.5 * exp(0.8 * source.normal()) }.sorted()
        return times[Int(part * 11)]
    }
}

extension ChangeCause {
    fileprivate var hashed: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
