/// Random numbers determined by a seed (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014).
package struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    /// Returns a number from 0 to `bound` - 1.
    package mutating func below(_ bound: Int) -> Int {
        Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
    }
}

extension [UInt8] {
    /// Bytes that often cause errors in readers: limits of ranges, types of labels, pointers.
    private static let edges: [UInt8] = [0, 1, 0x29, 0x3f, 0x40, 0x7f, 0x80, 0xc0, 0xfe, 0xff]

    /// Makes one to four changes to a DNS message. A change affects a byte, a bit, a number, a
    /// length, the message's end, its counts, or a part. A part of `other` may replace a part of
    /// the message.
    package mutating func mutate(using random: inout SplitMix64, with other: [UInt8]) {
        for _ in 0...random.below(4) {
            guard !isEmpty else { return append(UInt8(truncatingIfNeeded: random.next())) }
            let place = random.below(count)
            switch random.below(12) {
            case 0, 1: self[place] ^= 1 << UInt8(random.below(8))
            case 2: self[place] = Self.edges[random.below(Self.edges.count)]
            case 3, 4: self[place] = UInt8(truncatingIfNeeded: random.next())
            case 5: self[place] &+= random.below(2) == 0 ? 1 : 0xff
            case 6:
                // A pointer to a place in the first 512 bytes, or a number.
                guard place + 1 < count else { break }
                self[place] = 0xc0 | UInt8(random.below(2))
                self[place + 1] = UInt8(random.below(Swift.min(count, 256)))
            case 7:
                let counts = 4 + random.below(8)
                if counts < count { self[counts] = UInt8(random.below(4)) }
            case 8: removeSubrange(place...)
            case 9: removeSubrange(place..<Swift.min(count, place + 1 + random.below(16)))
            case 10: insert(contentsOf: self[place...].prefix(1 + random.below(40)), at: place)
            default:
                guard !other.isEmpty else { break }
                let from = random.below(other.count)
                let part = other[from...].prefix(1 + random.below(64))
                replaceSubrange(place..<Swift.min(count, place + part.count), with: part)
            }
        }
    }
}
