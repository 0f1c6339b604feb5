import Samples

/// The names of a history's resolvers if several places measured. Each place may have resolvers of its own.
struct PlaceNames {
    /// The selected labels, as reports show them or as they were recorded; `nil` selects all.
    private let wanted: Set<String>?
    /// The selected labels, as they were recorded.
    let recorded: Set<String>?
    /// The names of resolvers at each place; `nil` if there is only one place.
    private let names: [Recording.Target: [String: Recording.Target]]?

    /// Names for a single place, or without distinguishing places.
    init(wanted: Set<String>?) {
        self.wanted = wanted
        (recorded, names) = (wanted, nil)
    }

    init(wanted: Set<String>?, of targets: [(vantage: String, Recording.Target)]) {
        self.wanted = wanted
        var names: [Recording.Target: [String: Recording.Target]] = [:]
        var recorded = wanted
        for (vantage, target) in targets {
            let named = target.named(at: vantage)
            names[target, default: [:]][vantage] = named
            guard named != target else { continue }
            if wanted?.contains(named.label) == true { recorded?.insert(target.label) }
        }
        self.names = names
        self.recorded = recorded
    }

    func targets(_ target: Recording.Target) -> [Recording.Target] {
        guard let names, target.isOfItsPlace else { return [target] }
        return (names[target] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
            .filter { isWanted(target, as: $0) }
    }

    /// The target as reports name it; `nil` if it is not selected.
    func named(_ target: Recording.Target, at vantage: String) -> Recording.Target? {
        guard let names else { return target }
        let named = names[target]?[vantage] ?? target.named(at: vantage)
        return isWanted(target, as: named) ? named : nil
    }

    func named(_ sum: HourlySum) -> HourlySum? {
        guard let target = named(sum.target, at: sum.vantage) else { return nil }
        var named = sum
        named.target = target
        return named
    }

    func applied(to recording: Recording) -> Recording {
        guard names != nil else { return recording }
        var apart = recording.apartByPlace
        guard wanted != nil else { return apart }
        apart.samples = zip(recording.samples, apart.samples).compactMap { sample, named in
            let target = recording.targets[Int(sample.target)]
            return isWanted(target, as: apart.targets[Int(named.target)]) ? named : nil
        }
        return apart
    }

    private func isWanted(_ target: Recording.Target, as named: Recording.Target) -> Bool {
        wanted.map { $0.contains(target.label) || $0.contains(named.label) } ?? true
    }
}
