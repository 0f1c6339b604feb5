#if DEBUG || TESTABLE
import FuzzJudge

@testable import Transports

/// The bytes that a server sends over HTTP/1.1: status lines, fields, chunks, and the content of an
/// answer (RFC 9112). The first byte selects the size of the pieces in which they arrive.
enum HTTP1Target {
    @EventLoopActor
    static func take(_ input: [UInt8]) async {
        WebService.take(input, by: HTTP1Framing(WebService.service), contents: contents(of:))
    }

    /// Returns all possible contents of an answer. A content begins after an empty line. It has a
    /// length that occurs as a number in the bytes, extends to the end, or consists of chunks.
    private static func contents(of octets: [UInt8]) -> [[UInt8]] {
        let lengths = Set(
            octets.split { !(0x30...0x39).contains($0) }.prefix(64)
                .compactMap { Int(String(decoding: $0.prefix(6), as: UTF8.self)) }
        )
        var contents: [[UInt8]] = []
        for end in octets.indices.dropFirst(3).prefix(20_000)
        where octets[(end - 3)...end].elementsEqual([13, 10, 13, 10]) {
            let rest = octets[(end + 1)...]
            contents += [Array(rest), joined(rest)] + lengths.map { Array(rest.prefix($0)) }
        }
        return contents
    }

    /// Joins the bytes of chunks up to the last chunk.
    private static func joined(_ octets: ArraySlice<UInt8>) -> [UInt8] {
        var (rest, content) = (octets, [UInt8]())
        while let end = rest.firstIndex(of: 10) {
            let digits = rest[..<end].prefix { Character(Unicode.Scalar($0)).isHexDigit }
            guard let size = Int(String(decoding: digits.prefix(8), as: UTF8.self), radix: 16),
                size > 0
            else { break }
            let chunk = rest[(end + 1)...].prefix(size)
            content += chunk
            rest = rest[chunk.endIndex...].dropFirst(2)
        }
        return content
    }
}
#endif
