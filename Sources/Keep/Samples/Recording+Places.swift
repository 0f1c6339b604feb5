import Catalogue

extension Recording.Target {
    /// Whether the target is a different machine at each place, under the same label. This applies to the
    /// resolvers of a system (`system`, `system-2`, `gateway`), and to private addresses.
    package var isOfItsPlace: Bool {
        label == "system" || label.hasPrefix("system-") || label == "gateway"
            || address?.isPrivate == true && !isSimulated
    }

    /// The target with the label that a report on several places uses.
    package func named(at vantage: String) -> Self {
        guard isOfItsPlace else { return self }
        var named = self
        named.label = name(label, at: vantage)
        return named
    }

    /// The target with the label that the place itself uses.
    package func unnamed(at vantage: String) -> Self {
        var unnamed = self
        unnamed.label = label.withoutPlace(vantage)
        return unnamed
    }

    /// The target with the label that its place uses. The place is the one of `vantages` whose name the label
    /// contains.
    package func unnamed(among vantages: Set<String>) -> Self {
        let separator = " from "
        for range in label.ranges(of: separator) {
            let vantage = String(label[range.upperBound...])
            if vantages.contains(vantage) { return unnamed(at: vantage) }
        }
        return self
    }

    /// The common target of all places with a resolver of their own under this label. It has the label that
    /// the places use, and an empty endpoint.
    package func common(at vantage: String) -> Self {
        var common = unnamed(at: vantage)
        if isOfItsPlace || common != self { common.endpoint = "" }
        return common
    }

    /// The `name` with the place appended, unless the label already contains the place.
    package func name(_ name: String, at vantage: String) -> String {
        label.hasSuffix(" from \(vantage)") ? name : "\(name) from \(vantage)"
    }
}

extension [Recording.Target] {
    /// The labels that the `places` themselves use, without repetitions.
    package func labels(unnamedAmong places: Set<String>) -> [String] {
        map { $0.unnamed(among: places).label }.uniqued
    }
}

extension String {
    /// The name without the place at its end: `system from home` becomes `system` at `home`.
    package func withoutPlace(_ vantage: String) -> String {
        let suffix = " from \(vantage)"
        return hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}

extension Recording {
    /// The recording with separate targets for resolvers that are a different machine at each place.
    package var apartByPlace: Recording {
        var apart = self
        // The index of each such resolver at each place.
        var owned: [Int32: [String: Int32]] = [:]
        for index in samples.indices {
            let number = samples[index].target
            let target = targets[Int(number)]
            guard target.isOfItsPlace else { continue }
            let vantage = runs[Int(rounds[Int(samples[index].round)].run)].vantage
            if let known = owned[number]?[vantage] {
                apart.samples[index].target = known
                continue
            }
            var own = number
            if owned[number] == nil {
                apart.targets[Int(number)] = target.named(at: vantage)
            } else {
                own = Int32(clamping: apart.targets.count)
                apart.targets.append(target.named(at: vantage))
            }
            owned[number, default: [:]][vantage] = own
            apart.samples[index].target = own
        }
        return apart
    }
}
