import Catalogue

extension Recording.Target {
    /// Whether it is another machine at each place, though called the same: what a system has in use
    /// (`system`, `system-2`, `gateway`), or at a private address.
    package var isOfItsPlace: Bool {
        label == "system" || label.hasPrefix("system-") || label == "gateway"
            || address?.isPrivate == true && !isSimulated
    }

    /// As a report on several places calls it.
    package func named(at vantage: String) -> Self {
        guard isOfItsPlace else { return self }
        var named = self
        named.label = name(label, at: vantage)
        return named
    }

    /// As the place itself calls it.
    package func unnamed(at vantage: String) -> Self {
        var unnamed = self
        unnamed.label = label.withoutPlace(vantage)
        return unnamed
    }

    /// As the one of `vantages` calls it whose name it has.
    package func unnamed(among vantages: Set<String>) -> Self {
        let separator = " from "
        for range in label.ranges(of: separator) {
            let vantage = String(label[range.upperBound...])
            if vantages.contains(vantage) { return unnamed(at: vantage) }
        }
        return self
    }

    /// The target common to all places that have one such of their own: as it is called there, at
    /// no endpoint.
    package func common(at vantage: String) -> Self {
        var common = unnamed(at: vantage)
        if isOfItsPlace || common != self { common.endpoint = "" }
        return common
    }

    /// Its `name`, which may be of its place already, with its place.
    package func name(_ name: String, at vantage: String) -> String {
        label.hasSuffix(" from \(vantage)") ? name : "\(name) from \(vantage)"
    }
}

extension [Recording.Target] {
    /// The labels as `places` themselves call the resolvers, each once.
    package func labels(unnamedAmong places: Set<String>) -> [String] {
        map { $0.unnamed(among: places).label }.uniqued
    }
}

extension String {
    /// The name without the place at its end: `system from home` is `system` at `home`.
    package func withoutPlace(_ vantage: String) -> String {
        let suffix = " from \(vantage)"
        return hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}

extension Recording {
    /// With those resolvers apart that are another machine at each place.
    package var apartByPlace: Recording {
        var apart = self
        // The number of each resolver at each place.
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
