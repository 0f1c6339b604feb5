/// Why octets are no sketch.
package struct SketchError: Error, Hashable, Sendable, CustomStringConvertible {
    package var reason: String

    package var description: String { "not a latency sketch: \(reason)" }
}

extension LatencySketch {
    /// The first octet: which form follows.
    private static let form: UInt8 = 1

    /// The counts as octets, the same for the same counts: a form number; the first bucket, as it
    /// stands from the lowest that there is; then each bucket's count, where 0 is followed by how
    /// many buckets more are empty. Numbers have seven bits an octet, the lowest first.
    package func encoded() -> [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(counts.count + 4)
        octets.append(Self.form)
        guard !counts.isEmpty else { return octets }
        octets.append(variable: first - Self.indices.lowerBound)
        var empty = 0
        for times in counts {
            if times == 0 {
                empty += 1
                continue
            }
            if empty > 0 {
                octets.append(0)
                octets.append(variable: empty - 1)
                empty = 0
            }
            octets.append(variable: Int(times))
        }
        return octets
    }

    /// Reads what ``encoded()`` wrote, and refuses everything else.
    package init(decoding octets: some Collection<UInt8>) throws(SketchError) {
        try self.init(decoding: Array(octets))
    }

    /// The same for what most have, which the compiler makes fast.
    package init(decoding octets: [UInt8]) throws(SketchError) {
        var reader = VariableReader(octets)
        guard reader.octet() == Self.form else {
            throw SketchError(reason: "its form is unknown")
        }
        guard !reader.isAtEnd else {
            self.init()
            return
        }
        let offset = try reader.number()
        var index = offset
        let last = Self.indices.count - 1
        guard offset <= last else { throw SketchError(reason: "a bucket is out of range") }
        var counts: [UInt32] = []
        counts.reserveCapacity(octets.count)
        var sum = 0
        while !reader.isAtEnd {
            let times = try reader.number()
            let buckets = times == 0 ? try reader.number() : 0
            guard index <= last, buckets < last - index || times > 0 else {
                throw SketchError(reason: "a bucket is out of range")
            }
            index += buckets + 1
            counts += repeatElement(0, count: buckets)
            guard let short = UInt32(exactly: times) else {
                throw SketchError(reason: "it counts too much")
            }
            counts.append(short)
            sum += times
        }
        guard counts.first != 0, counts.last != 0, !counts.isEmpty else {
            throw SketchError(reason: "it begins or ends with an empty bucket")
        }
        self.init(first: Self.indices.lowerBound + offset, counts: counts, count: sum)
    }
}

extension [UInt8] {
    /// Adds a number that is not negative, seven bits an octet, the lowest first.
    fileprivate mutating func append(variable number: Int) {
        var rest = number
        while rest > 0x7f {
            append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}

/// Takes numbers of seven bits an octet, one after the other.
private struct VariableReader {
    private let octets: [UInt8]
    private var position = 0

    init(_ octets: [UInt8]) { self.octets = octets }

    var isAtEnd: Bool { position == octets.count }

    mutating func octet() -> UInt8? {
        guard !isAtEnd else { return nil }
        defer { position += 1 }
        return octets[position]
    }

    /// The next number in its shortest form, below 2⁶³.
    mutating func number() throws(SketchError) -> Int {
        var value = 0
        for shift in stride(from: 0, through: 56, by: 7) {
            guard let octet = octet() else { throw SketchError(reason: "it is cut short") }
            value |= Int(octet & 0x7f) << shift
            guard octet & 0x80 == 0 else { continue }
            guard octet != 0 || shift == 0 else { break }
            return value
        }
        throw SketchError(reason: "a number is not in its shortest form, or too large")
    }
}
