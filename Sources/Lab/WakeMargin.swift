/// How long before a due moment a thread should stop sleeping and watch the clock, in nanoseconds:
/// what the system takes to wake it, as seen lately. Virtual machines take 100 µs where others take
/// 10.
struct WakeMargin {
    private static let bounds: ClosedRange<Int64> = 20_000...200_000

    private(set) var nanoseconds: Int64 = 50_000

    /// Takes in by how much a sleep was too long: up at once, down slowly. Beyond what may be
    /// watched the processor was busy elsewhere, which no margin cures.
    mutating func note(oversleep: Int64) {
        guard oversleep <= Self.bounds.upperBound else { return }
        let wanted = max(oversleep + 10_000, nanoseconds - 1_000)
        nanoseconds = min(max(wanted, Self.bounds.lowerBound), Self.bounds.upperBound)
    }
}
