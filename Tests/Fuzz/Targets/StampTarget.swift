#if DEBUG || TESTABLE
import Catalogue

/// A DNS stamp, as its text or its bytes. An accepted stamp can be written as an address and read
/// again.
enum StampTarget {
    static func take(_ input: [UInt8]) {
        take(String(decoding: input, as: UTF8.self))
        take("sdns://" + base64URL(input))
    }

    private static func take(_ text: String) {
        guard let stamp = try? ServerStamp(parsing: text) else { return }
        guard stamp.port > 0, stamp.hashes.allSatisfy({ $0.count == 32 }) else {
            accuse("a stamp without a port or with a hash of another length")
        }
        let notation = stamp.notation
        guard notation.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            accuse("a stamp is written as '\(notation)'")
        }
    }

    private static func base64URL(_ octets: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var text = ""
        for start in stride(from: 0, to: octets.count, by: 3) {
            let part = octets[start..<min(start + 3, octets.count)]
            let bits = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
            for digit in 0...part.count { text.append(alphabet[bits >> (18 - 6 * digit) & 63]) }
        }
        return text
    }
}
#endif
