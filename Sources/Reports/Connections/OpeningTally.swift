package import Samples
package import Statistics

/// How far the first queries over one kind of connection had come when, in milliseconds since the
/// connection was begun.
package struct OpeningFigures: Hashable, Sendable {
    /// What carried them; `nil` where none was answered, so that nobody knows.
    package var use: ConnectionUse?
    /// Medians over all queries, until the connection stood and until its handshake was over; `nil`
    /// where there is no such step, or where it lies beyond the timeout.
    package var connected: Double?
    package var secured: Double?
    /// The times to the first answer.
    package var latency: LatencySummary
}

/// What is counted of opened connections while samples are gone through.
struct OpeningTally: Hashable {
    fileprivate struct Times: Hashable {
        var connected: [Double] = []
        var secured: [Double] = []
        var answered: [Double] = []
        var hasConnect = false
        var hasHandshake = false
        var lost = 0
    }

    private var times: [ConnectionUse: Times] = [:]
    /// Queries without an answer that do not tell what was to carry them.
    private var lost = 0

    /// A query on a connection that stood already is none, but among first queries: there every one
    /// counts, as in their summary.
    mutating func add(_ observation: Observation, in series: Series) {
        let use = observation.extras?.connection
        guard observation.outcome.isMeasured, use != .reused || series == .first else { return }
        guard let answered = observation.answerTime(in: .first) else {
            guard let use else { return lost += 1 }
            return times[use, default: Times()].lost += 1
        }
        guard let extras = observation.extras, let use else { return }
        let connect = Double(extras.connect ?? 0) * 1e-6
        let secured = connect + Double(extras.handshake ?? 0) * 1e-6
        times[use, default: Times()].add(
            connected: connect,
            secured: secured,
            answered: answered
        )
        if extras.connect != nil { times[use]?.hasConnect = true }
        if extras.handshake != nil { times[use]?.hasHandshake = true }
    }

    mutating func merge(_ other: Self) {
        times.merge(other.times) { own, more in
            var all = own
            all.connected += more.connected
            all.secured += more.secured
            all.answered += more.answered
            all.hasConnect = own.hasConnect || more.hasConnect
            all.hasHandshake = own.hasHandshake || more.hasHandshake
            all.lost += more.lost
            return all
        }
        lost += other.lost
    }

    /// One for each kind of connection; a query without an answer lies beyond the timeout, with the
    /// most frequent kind where it does not tell its own.
    func figures(timeout: Duration) -> [OpeningFigures] {
        let limit = timeout.milliseconds
        let known = times.filter { !$0.value.answered.isEmpty }
            .sorted { $0.key.rawValue < $1.key.rawValue }
        let unknown = times.filter { $0.value.answered.isEmpty }
            .reduce(lost) { $0 + $1.value.lost }
        guard let most = known.max(by: { $0.value.answered.count < $1.value.answered.count })?.key
        else {
            let silence = LatencySummary(answers: [], nonAnswers: unknown, timeout: limit)
            return unknown > 0 ? [OpeningFigures(use: nil, latency: silence)] : []
        }
        return known.map { use, times in
            let lost = times.lost + (use == most ? unknown : 0)
            func median(_ moments: [Double]) -> Double? {
                LatencySummary(answers: moments, nonAnswers: lost, timeout: limit).median
            }
            return OpeningFigures(
                use: use,
                connected: times.hasConnect ? median(times.connected) : nil,
                secured: times.hasHandshake ? median(times.secured) : nil,
                latency: LatencySummary(
                    answers: times.answered,
                    nonAnswers: lost,
                    timeout: limit
                )
            )
        }
    }
}

extension OpeningTally.Times {
    fileprivate mutating func add(connected: Double, secured: Double, answered: Double) {
        self.connected.append(connected)
        self.secured.append(secured)
        self.answered.append(answered)
    }
}
