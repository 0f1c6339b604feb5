/// File names for texts: no two alike, also where case does not count, and none that leads out of
/// its folder.
package struct FileNames: Hashable, Sendable {
    /// One a text, in their order.
    package let fileNames: [String]

    /// What a file system takes as a name, less the suffix and a number.
    private static let longest = 240

    /// `suffix` is without its dot.
    package init(of texts: [String], suffix: String) {
        var taken: Set<String> = []
        fileNames = texts.map { text in
            let stem = Self.shortened(Self.safe(text))
            var fileName = "\(stem).\(suffix)"
            var number = 2
            while !taken.insert(fileName.lowercased()).inserted {
                fileName = "\(stem)-\(number).\(suffix)"
                number += 1
            }
            return fileName
        }
    }

    /// Letters, digits, hyphens, underscores and dots stay, but for a first dot; all else is
    /// written as in a URL (RFC 3986 §2.1).
    private static func safe(_ name: String) -> String {
        var text: [UInt8] = []
        for (index, octet) in name.utf8.enumerated() {
            switch octet {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                text.append(octet)
            case UInt8(ascii: ".") where index > 0:
                text.append(octet)
            default:
                text.append(UInt8(ascii: "%"))
                for digit in [octet >> 4, octet & 0xf] {
                    text.append(digit < 10 ? 0x30 + digit : 0x37 + digit)
                }
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Names that are too long keep their end, which tells them apart from their neighbours.
    private static func shortened(_ stem: String) -> String {
        stem.utf8.count <= longest ? stem : String(stem.suffix(longest))
    }
}
