import DNSWire
import LibC
import Samples
import Store
import Testing

@testable import History

/// The storage types of a history. Its content is the same in each type.
enum Keeper: CaseIterable {
    case files, store
}

/// Histories of two places. Each place has its own system resolver, and both query two common
/// targets.
final class HistorySourceTests {
    private let path = "/tmp/dnstempo-history-\(getpid())-\(UInt64.random(in: 0 ... .max)).sqlite"

    deinit { for suffix in ["", "-wal", "-shm"] { unsafe unlink(path + suffix) } }

    /// 2026-11-21T03:00:00Z
    private static let start = Timestamp(nanoseconds: 1_795_230_000_000_000_000)
    private static let all =
        start.advanced(by: .seconds(-1))..<start.advanced(by: .seconds(86_400))

    private static let targets = [
        ("system", "192.168.1.1:53", "udp"), ("far", "9.9.9.9:53", "udp"),
        ("far", "9.9.9.9:853", "tls"),
    ]
    .map { Recording.Target(label: $0, endpoint: $1, transport: .init($2), series: .cached) }

    /// Returns one round per hour, with each target and each name. The answers come from the site
    /// of the place.
    private static func recording(of place: String, rounds: Int = 3) throws -> Recording {
        let run = Run(id: place, vantage: place, timeout: .seconds(5), origin: .sample)
        let names = try ["example.com", "example.org"].map {
            Question(name: try DomainName($0), type: .a)
        }
        var recording = Recording(runs: [run], targets: targets, questions: names)
        for number in 0..<rounds {
            let began = start.advanced(by: .seconds(3600 * number + 60))
            recording.rounds.append(Round(number: Int32(number + 1), started: began))
            for (target, question) in targets.indices.flatMap({ [($0, 0), ($0, 1)] }) {
                var observation = Observation(outcome: .answered)
                observation.roundTrip = 5_000_000
                let after = Duration.milliseconds(100 * (2 * target + question))
                observation.sent = began.advanced(by: after)
                observation.extras = .init(site: "\(place)-site")
                recording.samples.append(
                    Sample(
                        round: Int32(number),
                        target: Int32(target),
                        question: Int32(question),
                        scheduled: began.advanced(by: after),
                        observation: observation
                    )
                )
            }
        }
        return recording
    }

    private func source(
        _ keeper: Keeper,
        places: [String] = ["home", "office"],
        tellsPlaces: Bool = false
    ) throws -> HistorySource {
        let recordings = try places.map { try Self.recording(of: $0) }
        var source = HistorySource(FileSource(recordings))
        if keeper == .store {
            let store = try Store(path: path, durability: .off)
            for recording in recordings { try store.append(recording) }
            source = HistorySource(StoreSource(StoreGroup([store])))
        }
        source.tellsPlaces = tellsPlaces
        return source
    }

    private func samples(_ source: any SampleSource) throws -> Recording {
        var all = Recording()
        _ = try source.read(Self.all, by: .hours, samples: { all.merge($0) }, sum: { _ in })
        return all
    }

    @Test(arguments: Keeper.allCases)
    func `a history without a filter is unchanged`(_ keeper: Keeper) throws {
        let source = try source(keeper)
        #expect(try samples(source).samples.count == 2 * 3 * 6)
        #expect(try source.targets() == Self.targets)
        #expect(try source.vantages() == ["home", "office"])
        #expect(try source.rounds(Self.all).count == 6)
        #expect(try source.recorded.names() == ["example.com", "example.org"])
    }

    @Test(arguments: Keeper.allCases)
    func `each part of a filter selects its samples`(_ keeper: Keeper) throws {
        let source = try source(keeper)
        func count(_ set: (inout SampleFilter) -> Void) throws -> Int {
            var part = source
            set(&part.filter)
            return try samples(part).samples.count
        }
        #expect(try count { $0.transports = ["tls"] } == 12)
        #expect(try count { $0.names = ["example.org"] } == 18)
        #expect(try count { $0.vantages = ["home"] } == 18)
        #expect(try count { $0.sites = ["office-site"] } == 18)
        #expect(try samples(source.limited(to: ["far"])).samples.count == 24)
        #expect(try samples(source.limited(toPlace: "office")).samples.count == 18)
    }

    @Test(arguments: Keeper.allCases)
    func `resolvers that differ by place are distinguished`(_ keeper: Keeper) throws {
        let source = try source(keeper, tellsPlaces: true)
        let labels = try source.resolverLabels()
        #expect(labels == ["system from home", "system from office", "far"])
        #expect(try source.everyLabel() == ["system", "far"])
        #expect(try source.commonLabels() == ["system", "far"])
        #expect(try source.namedAsRecorded.resolverLabels() == ["system", "far"])
        // Both names select the resolver. The name with the place selects only the rounds of the place.
        let home = source.limited(to: ["system from home"])
        #expect(try samples(home).samples.count == 6)
        #expect(try Set(home.rounds(Self.all).map(\.vantage)) == ["home"])
        #expect(try samples(source.limited(to: ["system"])).samples.count == 12)
        #expect(try home.sites(Self.all).map(\.target.label) == ["system from home"])
    }

    @Test func `a single place is not added to names`() throws {
        let source = try source(.store, places: ["home"], tellsPlaces: true)
        #expect(try source.resolverLabels() == ["system", "far"])
        #expect(try source.places(in: Self.all).isEmpty)
        // A report on several places uses this name.
        #expect(try samples(source.limited(to: ["system from home"])).samples.count == 6)
    }

    @Test func `without usual rounds, rounds of other origins are shown`() throws {
        let source = try source(.store)
        let usual = HistorySource(source.recorded, origins: [.compare])
        #expect(try samples(usual).samples.isEmpty)
        #expect(try usual.advice(Self.all).contains("--origin sample"))
        #expect(try samples(usual.showingWhatThereIs()).samples.count == 36)
    }

    @Test(arguments: Keeper.allCases)
    func `an error of the reader is thrown unchanged`(_ keeper: Keeper) throws {
        struct Full: Error {}
        let source = try source(keeper)
        #expect(throws: Full.self) { try source.readSamples(Self.all) { _ in throw Full() } }
    }

    @Test func `samples of a pruned hour that are left are read, and not their sums`() throws {
        let store = try Store(path: path)
        var recording = try Self.recording(of: "home", rounds: 2)
        // The second round begins before the hour that remains, and ends after its begin.
        let limit = Self.start.advanced(by: .seconds(7200))
        for index in recording.samples.indices where recording.samples[index].round == 1 {
            let after = Duration.milliseconds(100 * index - 1000)
            recording.samples[index].observation.sent = limit.advanced(by: after)
        }
        try store.append(recording)
        #expect(try store.prune(olderThan: limit) == 6)
        let source = HistorySource(StoreSource(StoreGroup([store])))
        var found = 0
        let gone = try source.readSamples(Self.all) { found += $0.samples.count }
        #expect(found == 6)
        #expect(gone?.upperBound == limit)
    }
}
