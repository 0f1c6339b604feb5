/// Changes the case of a name's letters, one bit a letter.
struct CaseMixer {
    private var bits: UInt64

    init(bits: UInt64) { self.bits = bits }

    /// The next octet of a name on the wire. Lengths are below 64 and so never look like letters.
    mutating func mixed(_ octet: UInt8) -> UInt8 {
        guard (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(octet | 0x20) else { return octet }
        let flip = UInt8(bits & 1) << 5
        bits = bits >> 1 | bits << 63
        return octet ^ flip
    }
}
