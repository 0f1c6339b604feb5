#if (DEBUG || TESTABLE) && QUIC
/// The frames of a packet as the judge reads them (RFC 9000 §19), without code of ngtcp2.
enum SentFrames {
    /// Returns the bytes of stream 0, up to the first gap. Of repeated bytes, the first counts.
    static func stream(in frames: [UInt8]) -> [UInt8] {
        var octets: [Int: UInt8] = [:]
        var rest = frames[...]
        while let kind = rest.takeVariable() {
            guard 0x08...0x0f ~= kind else {
                guard skip(kind, &rest) else { break }
                continue
            }
            guard let stream = rest.takeVariable(),
                let offset = kind & 4 != 0 ? rest.takeVariable() : 0,
                let size = kind & 2 != 0 ? rest.takeVariable() : rest.count, size <= rest.count
            else { break }
            // The program never reads as far as this limit.
            if stream == 0, offset < 1 << 20 {
                for (index, octet) in rest.prefix(size).enumerated()
                where octets[offset + index] == nil { octets[offset + index] = octet }
            }
            rest = rest.dropFirst(size)
        }
        var content: [UInt8] = []
        while let octet = octets[content.count] { content.append(octet) }
        return content
    }

    /// Moves behind another frame; returns `false` if the frame is incomplete or unknown.
    private static func skip(_ kind: Int, _ rest: inout ArraySlice<UInt8>) -> Bool {
        switch kind {
        case 0x00, 0x01, 0x1e: return true
        case 0x02, 0x03:
            guard numbers(2, &rest) != nil, let ranges = rest.takeVariable(), ranges < 1_000
            else { return false }
            return numbers(1 + 2 * ranges + (kind == 3 ? 3 : 0), &rest) != nil
        case 0x04: return numbers(3, &rest) != nil
        case 0x05, 0x11, 0x15: return numbers(2, &rest) != nil
        case 0x06: return numbers(1, &rest) != nil && octets(numbers(1, &rest), &rest)
        case 0x07: return octets(numbers(1, &rest), &rest)
        case 0x10, 0x12, 0x13, 0x14, 0x16, 0x17, 0x19: return numbers(1, &rest) != nil
        case 0x18:
            guard numbers(2, &rest) != nil, let size = rest.popFirst() else { return false }
            return octets(Int(size) + 16, &rest)
        case 0x1a, 0x1b: return octets(8, &rest)
        case 0x1c, 0x1d:
            return numbers(kind == 0x1c ? 2 : 1, &rest) != nil && octets(numbers(1, &rest), &rest)
        default: return false
        }
    }

    /// Removes `count` numbers and returns the last one; `nil` if a number is incomplete.
    private static func numbers(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> Int? {
        var last: Int?
        for _ in 0..<count {
            last = rest.takeVariable()
            if last == nil { return nil }
        }
        return last
    }

    private static func octets(_ count: Int?, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard let count, count <= rest.count else { return false }
        rest = rest.dropFirst(count)
        return true
    }
}
#endif
