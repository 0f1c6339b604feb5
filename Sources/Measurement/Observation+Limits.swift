extension Observation {
    /// What nothing takes longer than, in nanoseconds: 36,500 days, the longest timeout.
    package static let longestTime: Int64 = 36_500 * 86_400_000_000_000

    /// The same with the texts that others wrote cut to their limits.
    package var withinLimits: Observation {
        guard let extras, extras.withinLimits !== extras else { return self }
        var observation = self
        observation.extras = extras.withinLimits
        return observation
    }
}

extension Observation.Extras {
    /// Limits of the texts, which others wrote: in characters, and in octets.
    package static let longestDetail = 200
    package static let longestReason = 120
    package static let longestSite = 128

    /// The same with its texts cut to their limits.
    package var withinLimits: Observation.Extras {
        let isWithin =
            (site?.utf8.count ?? 0) <= Self.longestSite
            && (extendedErrors?.utf8.count ?? 0) <= Self.longestSite
            && (detail?.unicodeScalars.count ?? 0) <= Self.longestDetail
        guard !isWithin else { return self }
        return Observation.Extras(
            connect: connect,
            handshake: handshake,
            udp: udp,
            site: site?.cut(toOctets: Self.longestSite),
            extendedErrors: extendedErrors?.cut(toOctets: Self.longestSite),
            connection: connection,
            detail: detail?.cut(toCharacters: Self.longestDetail),
            flags: flags
        )
    }
}

extension String {
    /// At most so many characters, each one of Unicode's; an ellipsis stands for what is cut off.
    package func cut(toCharacters most: Int) -> String {
        guard unicodeScalars.count > most else { return self }
        return String(unicodeScalars.prefix(most - 1)) + "…"
    }

    /// At most so many octets in UTF-8, likewise.
    func cut(toOctets most: Int) -> String {
        guard utf8.count > most else { return self }
        var text = ""
        for scalar in unicodeScalars {
            guard text.utf8.count + String(scalar).utf8.count + "…".utf8.count <= most else {
                break
            }
            text.unicodeScalars.append(scalar)
        }
        return text + "…"
    }
}
