/// Decides how many parallel streams load a line: one more in each interval, until the throughput is stable
/// (draft-ietf-ippm-responsiveness, §4.1 and §4.4).
package struct LoadRamp: Sendable {
    /// The length of an interval.
    package static let interval = Duration.seconds(1)
    /// The number of intervals in a moving average, and of averages that must agree (MAD).
    static let distance = 4
    /// The largest relative standard deviation of a stable throughput (SDT).
    static let tolerance = 0.05
    /// A line is also used at the stated number of intervals, because a throughput may never become stable.
    static let longest = 20
    static let mostStreams = 32

    /// The number of streams in each direction.
    private(set) var streams = 1
    private(set) var isFull = false
    private var throughputs: [Double] = []
    private var averages: [Double] = []

    /// Takes the throughput of the last interval, in bytes per second.
    mutating func take(_ throughput: Double) {
        throughputs.append(throughput)
        let recent = throughputs.suffix(Self.distance)
        averages.append(recent.reduce(0, +) / Double(recent.count))
        isFull = throughputs.count >= Self.longest || isStable
        if !isFull { streams = min(streams + 1, Self.mostStreams) }
    }

    private var isStable: Bool {
        let last = averages.suffix(Self.distance)
        guard last.count == Self.distance else { return false }
        let mean = last.reduce(0, +) / Double(last.count)
        let squares = last.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return mean > 0 && (squares / Double(last.count)).squareRoot() <= Self.tolerance * mean
    }
}
