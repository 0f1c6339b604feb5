/// What happens to a process or its machine while the process runs.
enum Fault {
    /// SIGKILL after this many jobs of the simulation.
    case kill(jobs: UInt64)
    /// SIGKILL, or a power cut, during a write after this many.
    case killDuringWrite(Int64, isPowerCut: Bool)
    /// A power cut after this many jobs.
    case powerCut(jobs: UInt64)
    /// A power cut after this many nanoseconds.
    case laterPowerCut(after: Int64)
    /// After this many writes, a number of writes find a full disk.
    case fullDisk(after: Int64, count: Int64)
    /// After this many writes and synchronisations, a number of them fail.
    case failingDisk(after: Int64, count: Int64)
    /// After this many synchronisations, a number of them fail.
    case failingSyncs(after: Int64, count: Int64)
    /// After this many locks, another program has the next ones.
    case busyStore(after: Int64, count: Int64)
    /// After this many nanoseconds, the wall clock is set.
    case clockStep(after: Int64, by: Int64)
    /// After this many nanoseconds, the machine is suspended, or the process is stopped (SIGSTOP).
    case suspension(after: Int64, Int64)
    case stop(after: Int64, Int64)
    /// After this many nanoseconds, the machine has no network for some time.
    case offline(after: Int64, Int64)
    /// After this many nanoseconds, the machine has another address.
    case newAddress(after: Int64)
    /// SIGTERM after this many nanoseconds.
    case terminate(after: Int64)

    var endsProcess: Bool {
        switch self {
        case .kill, .killDuringWrite, .powerCut, .laterPowerCut, .terminate: true
        default: false
        }
    }

    var isFailingDisk: Bool {
        switch self {
        case .failingDisk, .failingSyncs: true
        default: false
        }
    }

    /// A fault within a process that lasts about `length` nanoseconds, and measures every `interval` seconds.
    init(within length: Int64, every interval: Int, _ random: inout Random) {
        let moment = random.number(below: max(1, Int(length)))
        // Little happens between two rounds.
        let isInRound = random.isOnce(in: 2)
        let period = interval * 1_000_000_000
        let after = Int64(
            isInRound ? moment / period * period + random.number(below: 4_000_000_000) : moment
        )
        let seconds = { (random: inout Random, most: Int) in
            Int64(1 + random.number(below: most * 1000)) * 1_000_000
        }
        switch random.number(below: 21) {
        case 0, 1: self = .kill(jobs: UInt64(random.number(below: 300)))
        case 2: self = .powerCut(jobs: UInt64(random.number(below: 300)))
        case 3, 4: self = .killDuringWrite(Int64(random.number(below: 40)), isPowerCut: false)
        case 5: self = .killDuringWrite(Int64(random.number(below: 40)), isPowerCut: true)
        case 6:
            self = .fullDisk(
                after: Int64(random.number(below: 30)),
                count: Int64(1 + random.number(below: 4))
            )
        case 7:
            // A second is a leap second, and an hour a change of a clock that runs on local time.
            let steps: [Int64] = [1, 40, 500, 1000, 3_600_000, 31_536_000_000]
            let step = random.pick(steps) * 1_000_000
            self = .clockStep(after: after, by: random.isOnce(in: 2) ? step : -step)
        case 8, 14, 15: self = .suspension(after: after, seconds(&random, 20_000))
        case 9, 16: self = .stop(after: after, seconds(&random, 30))
        case 10: self = .offline(after: after, seconds(&random, 30))
        case 11: self = .newAddress(after: after)
        case 12:
            self = .failingDisk(
                after: Int64(random.number(below: 40)),
                count: Int64(1 + random.number(below: 3))
            )
        case 13:
            self = .busyStore(
                after: Int64(random.number(below: 20)),
                count: Int64(1 + random.number(below: 100))
            )
        case 17, 20:
            self = .failingSyncs(
                after: Int64(random.number(below: 12)),
                count: Int64(1 + random.number(below: 100))
            )
        case 18: self = .laterPowerCut(after: after)
        default: self = .terminate(after: after)
        }
    }
}
