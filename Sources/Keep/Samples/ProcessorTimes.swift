/// The use of the processors that a program may use, as shares of time.
package struct ProcessorUse: Hashable, Sendable, Codable {
    /// The share of time that was not idle, for any process.
    package let busy: Double
    /// The share of time that the host of a virtual machine took while a task was ready to run.
    package let stolen: Double

    package init(busy: Double, stolen: Double) {
        self.busy = busy
        self.stolen = stolen
    }
}

/// The time that processors spent since they started, in ticks of the kernel.
package struct ProcessorTimes: Hashable, Sendable {
    private var idle: UInt64 = 0
    private var stolen: UInt64 = 0
    private var all: UInt64 = 0

    /// Reads the given processors from `/proc/stat` (proc(5)); `nil` if none of them is found.
    package init?(stat: String, processors: Set<Int>) {
        for line in stat.split(separator: "\n") where line.hasPrefix("cpu") {
            let fields = line.split(separator: " ")
            guard let number = Int(fields[0].dropFirst(3)), processors.contains(number) else {
                continue
            }
            // User, nice, system, idle, iowait, irq, softirq, steal. The time of guests is part of user.
            let ticks = fields.dropFirst().prefix(8).map { UInt64($0) ?? 0 }
            guard ticks.count == 8 else { continue }
            idle &+= ticks[3] &+ ticks[4]
            stolen &+= ticks[7]
            all &+= ticks.reduce(0, &+)
        }
        if all == 0 { return nil }
    }

    /// The use since an earlier reading; `nil` if no tick has passed.
    package func use(since earlier: ProcessorTimes) -> ProcessorUse? {
        guard all > earlier.all else { return nil }
        let whole = Double(all - earlier.all)
        // The counters of idle and stolen time may decrease slightly.
        func share(_ now: UInt64, _ before: UInt64) -> Double {
            now > before ? min(1, Double(now - before) / whole) : 0
        }
        return ProcessorUse(
            busy: 1 - share(idle, earlier.idle),
            stolen: share(stolen, earlier.stolen)
        )
    }

    /// The processor numbers in the line `Cpus_allowed_list` of `/proc/self/status`, such as `0-3,8`.
    package static func processors(status: String) -> Set<Int> {
        let name = "Cpus_allowed_list:"
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
        let list = line?.dropFirst(name.count).filter { $0 != "\t" && $0 != " " } ?? ""
        return list.split(separator: ",").reduce(into: []) { numbers, part in
            let ends = part.split(separator: "-").compactMap { Int($0) }
            guard let first = ends.first, let last = ends.last, first <= last, last < most else {
                return
            }
            numbers.formUnion(first...last)
        }
    }

    /// The upper bound of processor numbers, above Linux's maximum.
    private static let most = 1 << 16
}
