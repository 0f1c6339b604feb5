import DNSWire
package import Samples
import Statistics

/// The sums of a window's queries by group and resolver, from samples, hourly sums, or both, in any order.
package struct WindowTally: HistorySink, Sendable {
    package let grouping: WindowGrouping
    package var provenance: Provenance
    /// The evidence for the cost of encryption, if it is to be reported.
    package var evidence: TransportEvidence?
    /// The earliest time that counts.
    private let since: Timestamp
    package private(set) var figures: [Key: Figures] = [:]
    /// Resolvers that comparisons did not ask until their end.
    package private(set) var stopped = StoppedTargets()

    package struct Key: Hashable {
        package var group: WindowGroup
        package var target: Recording.Target
    }

    /// Creates an empty tally. `rounds` contains all rounds of the window.
    package init(
        by grouping: WindowGrouping,
        clock: LocalClock,
        rounds: [RoundMoment] = [],
        since: Timestamp = Timestamp(nanoseconds: .min)
    ) {
        self.grouping = grouping
        self.since = since
        provenance = Provenance(clock: clock, rounds: rounds.filter { $0.started >= since })
    }

    package mutating func add(_ counted: CountedSamples) {
        evidence?.add(counted)
        let recording = counted.recording
        let (since, grouping, clock) = (since, grouping, provenance.clock)
        // Most of the samples that are read for a week are before the last hour.
        guard recording.samples.contains(where: { $0.moment >= since }) else { return }
        let moments = recording.samples.lazy.map { $0.moment }.filter { $0 >= since }
        provenance.add(samples: moments)
        provenance.order.add(counted)
        if grouping == .resolver { stopped.add(counted, since: since) }
        // The answers of a group are added in the order of sending, which determines their jitter.
        let firstParts: [Int32] =
            switch grouping {
            case .name: recording.questions.map(\.name).firstEqual
            case .type: recording.questions.map(\.type.description).firstEqual
            case .vantage: recording.firstRuns
            default: []
            }
        var sites = Sites()
        let found = counted.figures(countsRounds: grouping.hasWholeRounds) {
            sample,
            round -> Place? in
            guard sample.moment >= since else { return nil }
            return switch grouping {
            case .name, .type:
                Place(target: sample.target, part: firstParts[Int(sample.question)])
            case .vantage: Place(target: sample.target, part: firstParts[Int(round.run)])
            case .site:
                Place(target: sample.target, part: sites.place(of: sample.observation.extras?.site))
            case .resolver, .transport: Place(target: sample.target)
            case .hour, .weekday, .day:
                Place(
                    target: sample.target,
                    time: grouping.group(of: clock.time(at: sample.moment))
                )
            }
        }
        for (place, sum) in found {
            let target = recording.targets[Int(place.target)]
            let key = Key(group: group(of: place, in: recording, sites), target: target)
            figures[key, default: Figures()].merge(sum)
        }
    }

    /// Adds an hour, or a day. It is ignored if only samples can distinguish the groups.
    package mutating func add(_ counted: CountedSum) {
        evidence?.add(counted)
        let sum = counted.sum
        guard grouping.grain != .samples, sum.hour >= since else { return }
        provenance.add(sum)
        let group: WindowGroup =
            switch grouping {
            case .transport: .text(sum.target.transport.description)
            case .vantage: .text(sum.vantage)
            case .type: .text(sum.type.description)
            default: grouping.group(of: provenance.clock.time(at: sum.hour))
            }
        var own = Figures(sum)
        if !grouping.hasWholeRounds { own.availability = Availability() }
        figures[Key(group: group, target: sum.target), default: Figures()].merge(own)
    }

    /// The figures of each resolver over all groups.
    package var whole: [Recording.Target: Figures] {
        figures.reduce(into: [:]) { $0[$1.key.target, default: Figures()].merge($1.value) }
    }

    /// Whether nothing was added, including rounds.
    package var isEmpty: Bool { provenance.log.isEmpty && figures.isEmpty }

    /// The group and resolver of a sample, as numbers of its recording.
    private struct Place: Hashable {
        var target: Int32
        /// The first question or run of the group, or its site, for groupings by these.
        var part: Int32 = 0
        var time = WindowGroup.whole
    }

    /// The sites of a recording, each with a number.
    private struct Sites {
        private(set) var names = [WindowGroup.noSite]
        private var places: [String: Int32] = [:]

        mutating func place(of site: String?) -> Int32 {
            guard let site else { return 0 }
            return places.place(of: site, in: &names, adding: .text(site))
        }
    }

    private func group(
        of place: Place,
        in recording: Recording,
        _ sites: Sites
    ) -> WindowGroup {
        switch grouping {
        case .site: sites.names[Int(place.part)]
        // Recordings of one window may differ in letter case.
        case .name: .text(recording.questions[Int(place.part)].name.description.lowercased())
        case .type: .text(recording.questions[Int(place.part)].type.description)
        case .vantage: .text(recording.runs[Int(place.part)].vantage)
        case .transport: .text(recording.targets[Int(place.target)].transport.description)
        case .resolver, .hour, .weekday, .day: place.time
        }
    }
}

/// The groups of a report over a window. Each group lists its resolvers separately.
package enum WindowGrouping: String, Hashable, Sendable, CaseIterable {
    case resolver, name, type, hour, weekday, day, transport, vantage, site

    /// The grain that distinguishes the groups.
    package var grain: HistoryGrain {
        switch self {
        case .name, .site: .samples
        case .hour, .weekday, .day: .hours
        case .resolver, .type, .transport, .vantage: .days
        }
    }

    /// Whether a group has all queries of a round to a resolver, at least those in one hour.
    package var hasWholeRounds: Bool { self != .name && self != .type && self != .site }

    /// Whether the groups are times, each with its resolvers next to each other.
    package var isOfTime: Bool { self == .hour || self == .weekday || self == .day }

    /// Whether a resolver's transports are listed next to each other.
    package var tellsTransports: Bool { self == .resolver || self == .transport }

    /// Returns the group of a time on the reader's clock.
    func group(of time: LocalTime) -> WindowGroup {
        switch self {
        case .hour: .hour(time.hour)
        case .weekday: .weekday(time.date.weekday)
        case .day: .day(time.date)
        case .resolver, .name, .type, .transport, .vantage, .site: .whole
        }
    }
}

/// One of the parts of a window.
package enum WindowGroup: Hashable, Comparable {
    /// Queries whose answer does not name a site. This group follows all sites.
    package static let noSite = text("–")

    case whole
    /// A name, a record type, a transport, a place or a site.
    case text(String)
    /// 0 to 23, on the reader's clock.
    case hour(Int)
    /// 1 for Monday to 7 for Sunday.
    case weekday(Int)
    case day(CivilDate)
}
