/// The hash function BLAKE2b, without a key, with 64 bytes of output (RFC 7693).
enum BLAKE2b {
    private static let initial: [UInt64] = [
        0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
        0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
    ]

    /// The order of the message's words in each round (§2.7).
    private static let schedule: [[Int]] = [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
        [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
        [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
        [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
        [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
        [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
        [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
        [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
        [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
    ]

    private static let columnsAndDiagonals = [
        (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
        (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
    ]

    static func hash(_ message: [UInt8]) -> [UInt8] {
        var state = initial
        // The parameters: 64 bytes, no key, no tree.
        state[0] ^= 0x0101_0040
        var start = 0
        repeat {
            let end = min(start + 128, message.count)
            compress(message[start..<end], upTo: end, isLast: end == message.count, into: &state)
            start = end
        } while start < message.count
        return state.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    }

    /// The function F (§3.2), for a block of at most 128 bytes that ends at `count` of the message.
    private static func compress(
        _ block: ArraySlice<UInt8>,
        upTo count: Int,
        isLast: Bool,
        into state: inout [UInt64]
    ) {
        var words = [UInt64](repeating: 0, count: 16)
        for (index, byte) in block.enumerated() {
            words[index / 8] |= UInt64(byte) << (index % 8 * 8)
        }
        var v = state + initial
        v[12] ^= UInt64(count)
        if isLast { v[14] = ~v[14] }
        for round in 0..<12 {
            let order = schedule[round % 10]
            for (index, (a, b, c, d)) in columnsAndDiagonals.enumerated() {
                v[a] = v[a] &+ v[b] &+ words[order[2 * index]]
                v[d] = (v[d] ^ v[a]).rotated(32)
                v[c] = v[c] &+ v[d]
                v[b] = (v[b] ^ v[c]).rotated(24)
                v[a] = v[a] &+ v[b] &+ words[order[2 * index + 1]]
                v[d] = (v[d] ^ v[a]).rotated(16)
                v[c] = v[c] &+ v[d]
                v[b] = (v[b] ^ v[c]).rotated(63)
            }
        }
        for index in 0..<8 { state[index] ^= v[index] ^ v[index + 8] }
    }
}

extension UInt64 {
    /// The word, rotated right by `count` bits.
    fileprivate func rotated(_ count: UInt64) -> UInt64 { self >> count | self << (64 - count) }
}
