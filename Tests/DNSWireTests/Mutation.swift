import Fixtures

extension [UInt8] {
    /// Returns a copy with a few changed bytes. Sometimes the copy is also cut, spliced or
    /// extended.
    func mutated(using generator: inout SplitMix64) -> [UInt8] {
        var octets = self
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            guard let index = octets.indices.randomElement(using: &generator) else { break }
            switch Int.random(in: 0...9, using: &generator) {
            case 0: octets.removeSubrange(index...)
            case 1: octets.remove(at: index)
            case 2: octets.insert(contentsOf: octets[index...].prefix(40), at: index)
            case 3: octets[index] = 0xc0
            case 4: octets[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
            default: octets[index] = UInt8.random(in: 0...255, using: &generator)
            }
        }
        return octets
    }
}
