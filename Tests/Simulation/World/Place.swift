import Foundation
import SimulatedKernel
import Store

/// A place where the program measures, on a machine of its own.
final class Place {
    let index: Int
    let vantage: String
    let folder: String
    let durability: Store.Durability
    /// The resolvers, as words of the command line.
    let resolvers: [String]
    let zone: String
    let timeout: Int
    let names: [String]
    /// Seconds between two rounds.
    let interval: Int
    /// Seconds between two rounds of `serve`.
    static let servedInterval = 60
    var expected = Expected()
    /// Whether a prune began in the store, or in one that was merged into it. Reports may then read sums.
    var isPruned = false
    /// Whether a power cut lost stored rounds. The central store may have them, and then takes no other ones.
    var hasLost = false

    /// The number of the place at the central store, and the URL under which it ships.
    var source: Int { index + 1 }
    var centre: String { "postgresql://\(role)@/dns" }
    /// The user at the central store, which ends with the number of the place.
    var role: String
    /// The port of the pages.
    var port: UInt16 { UInt16(8053 + index) }
    var store: String { "\(folder)/store.sqlite" }

    private static let zones = [
        "UTC", "America/New_York", "Australia/Lord_Howe", "Europe/Berlin", "Asia/Kathmandu",
        "America/St_Johns",
    ]

    init(_ index: Int, in folder: URL, _ random: inout Random) throws {
        self.index = index
        role = "dnstempo_\(index + 1)"
        vantage = "place-\(index)"
        let own = folder.appending(path: vantage)
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        self.folder = own.path
        durability = random.pick(Store.Durability.allCases)
        zone = random.pick(Self.zones)
        timeout = random.pick([1, 2, 5])
        interval = random.pick([60, 300, 3600, 6 * 3600, 86_400, 7 * 86_400])
        names = Array(DNSQuery.names.prefix(1 + random.number(below: 3)))
        let labels = ["alpha", "beta", "gamma"].prefix(1 + random.number(below: 3))
        resolvers = labels.enumerated().map { number, label in
            let scheme = random.isOnce(in: 4) ? "tcp://" : ""
            return "\(label)=\(scheme)127.0.\(index + 1).\(number + 1)"
        }
    }

    /// The addresses of the resolvers.
    var addresses: [UInt32] {
        resolvers.indices.map { 0x7f00_0001 + UInt32(index + 1) << 8 + UInt32($0) }
    }

    /// The words of a command that measures into the store.
    func measuring(_ command: String, _ more: [String] = []) -> [String] {
        [command] + resolvers + names.flatMap { ["-d", $0] } + [
            "--timeout", "\(timeout)s", "--store", store, "--vantage", vantage,
            "--durability", durability.rawValue, "--no-nsid",
        ] + more
    }

    func start(_ words: [String]) -> SimulatedProcess {
        SimulatedProcess(words, on: index, home: folder, zone: zone)
    }

    /// The time by the machine's clock.
    var now: Int64 { simulated_wall(Int32(index)) }
}
