import DNSWire
import LibC
import Samples
import Store
import Testing

@testable import History

/// What a history tells must not depend on what keeps it.
enum Keeper: CaseIterable {
    case files, store
}

/// Two places that ask a resolver of their own each, and two in common.
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

    /// A round an hour of each target for each name, whose answers are from the place's own site.
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
    func `a history without a filter is told as it was recorded`(_ keeper: Keeper) throws {
        let source = try source(keeper)
        #expect(try samples(source).samples.count == 2 * 3 * 6)
        #expect(try source.targets() == Self.targets)
        #expect(try source.vantages() == ["home", "office"])
        #expect(try source.rounds(Self.all).count == 6)
        #expect(try source.recorded.names() == ["example.com", "example.org"])
    }

    @Test(arguments: Keeper.allCases)
    func `each part of a filter leaves its samples alone`(_ keeper: Keeper) throws {
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
    func `what is another machine at each place is told apart`(_ keeper: Keeper) throws {
        let source = try source(keeper, tellsPlaces: true)
        let labels = try source.resolverLabels()
        #expect(labels == ["system from home", "system from office", "far"])
        #expect(try source.everyLabel() == ["system", "far"])
        #expect(try source.commonLabels() == ["system", "far"])
        #expect(try source.namedAsRecorded.resolverLabels() == ["system", "far"])
        // Under either name, and with it the rounds of its place alone.
        let home = source.limited(to: ["system from home"])
        #expect(try samples(home).samples.count == 6)
        #expect(try Set(home.rounds(Self.all).map(\.vantage)) == ["home"])
        #expect(try samples(source.limited(to: ["system"])).samples.count == 12)
        #expect(try home.sites(Self.all).map(\.target.label) == ["system from home"])
    }

    @Test func `one place has no names of places`() throws {
        let source = try source(.store, places: ["home"], tellsPlaces: true)
        #expect(try source.resolverLabels() == ["system", "far"])
        #expect(try source.places(in: Self.all).isEmpty)
        // A report on several places calls it so.
        #expect(try samples(source.limited(to: ["system from home"])).samples.count == 6)
    }

    @Test func `rounds of other origins are shown where there are no usual ones`() throws {
        let source = try source(.store)
        let usual = HistorySource(source.recorded, origins: [.compare])
        #expect(try samples(usual).samples.isEmpty)
        #expect(try usual.advice(Self.all).contains("--origin sample"))
        #expect(try samples(usual.showingWhatThereIs()).samples.count == 36)
    }

    @Test(arguments: Keeper.allCases)
    func `an error of whoever reads samples leaves as it is`(_ keeper: Keeper) throws {
        struct Full: Error {}
        let source = try source(keeper)
        #expect(throws: Full.self) { try source.readSamples(Self.all) { _ in throw Full() } }
    }
}
