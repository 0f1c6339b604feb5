extension IPAddress: CustomStringConvertible {
    /// Reads a dotted quad or an IPv6 address (RFC 4291 §2.2) with an optional zone after `%`.
    ///
    /// `nil` for anything else: a leading zero in a quad, which some read as octal, among it.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first else { return nil }
        let zone = parts.count == 2 ? String(parts[1]) : nil
        if let octets = Self.dottedQuad(first) {
            guard zone == nil else { return nil }
            self.init(octets: octets)
        } else if let octets = Self.sixteenOctets(first) {
            if let zone, !Self.isZone(zone) { return nil }
            self.init(octets: octets, zone: zone)
        } else {
            return nil
        }
    }

    /// The canonical text (RFC 5952), with the zone where there is one.
    package var description: String {
        let address = family == .v4 ? Self.quadText(octets) : Self.groupText(octets)
        return zone.map { "\(address)%\($0)" } ?? address
    }

    private static func isZone(_ text: String) -> Bool {
        (1...63).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7e).contains($0) && !"%/[]#=,".utf8.contains($0) }
    }

    private static func dottedQuad(_ text: some StringProtocol) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var octets: [UInt8] = []
        for part in parts {
            guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                part.utf8.count == 1 || part.utf8.first != 0x30, let octet = UInt8(part)
            else { return nil }
            octets.append(octet)
        }
        return octets
    }

    private static func sixteenOctets(_ text: some StringProtocol) -> [UInt8]? {
        guard let gap = text.firstRange(of: "::") else {
            guard let octets = groups(text), octets.count == 16 else { return nil }
            return octets
        }
        guard let head = groups(text[..<gap.lowerBound]),
            let tail = groups(text[gap.upperBound...]),
            !text[..<gap.lowerBound].contains("."), head.count + tail.count <= 14
        else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    /// The octets of groups joined by colons, the last of which may be a dotted quad.
    private static func groups(_ text: some StringProtocol) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 8 else { return nil }
        var octets: [UInt8] = []
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, let quad = dottedQuad(part) {
                octets += quad
            } else {
                guard (1...4).contains(part.utf8.count),
                    part.utf8.allSatisfy({ UInt8(ascii: "+") != $0 && UInt8(ascii: "-") != $0 }),
                    let group = UInt16(part, radix: 16)
                else { return nil }
                octets += [UInt8(group >> 8), UInt8(group & 0xff)]
            }
        }
        return octets
    }

    private static func quadText(_ octets: some Collection<UInt8>) -> String {
        octets.map { String($0) }.joined(separator: ".")
    }

    private static func groupText(_ octets: [UInt8]) -> String {
        if octets.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]) {
            return "::ffff:" + quadText(octets[12...])
        }
        let groups = stride(from: 0, to: 16, by: 2).map {
            UInt16(octets[$0]) << 8 | UInt16(octets[$0 + 1])
        }
        let gap = longestZeroRun(groups)
        func joined(_ part: ArraySlice<UInt16>) -> String {
            part.map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard gap.count > 1 else { return joined(groups[...]) }
        return joined(groups[..<gap.lowerBound]) + "::" + joined(groups[gap.upperBound...])
    }

    /// The first of the longest runs of zero groups, the one that RFC 5952 §4.2.3 shortens.
    private static func longestZeroRun(_ groups: [UInt16]) -> Range<Int> {
        var longest = 0..<0
        var start = 0
        for (index, group) in groups.enumerated() {
            if group != 0 {
                start = index + 1
            } else if index + 1 - start > longest.count {
                longest = start..<index + 1
            }
        }
        return longest
    }
}
