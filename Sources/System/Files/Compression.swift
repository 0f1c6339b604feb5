/// A format of compressed files, recognised by the first octets of a file.
package enum Compression: String, CaseIterable, Sendable {
    case gzip, bzip2, xz, zstd, zip

    /// `nil` for a file of any other format.
    package init?(beginning octets: some Collection<UInt8>) {
        let found = Self.allCases.first { format in
            format.marks.allSatisfy { offset, mark in octets.dropFirst(offset).starts(with: mark) }
        }
        guard let found else { return nil }
        self = found
    }

    /// The octets of the format, and their places.
    private var marks: [(offset: Int, octets: [UInt8])] {
        switch self {
        case .gzip: [(0, [0x1f, 0x8b, 0x08])]
        // The digit between the two is the size of the blocks.
        case .bzip2: [(0, Array("BZh".utf8)), (4, [0x31, 0x41, 0x59, 0x26, 0x53, 0x59])]
        case .xz: [(0, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00])]
        case .zstd: [(0, [0x28, 0xb5, 0x2f, 0xfd])]
        case .zip: [(0, Array("PK\u{3}\u{4}".utf8))]
        }
    }

    /// What is wrong with the file at `path`, and what to do.
    package func refusal(of path: String) -> String {
        switch self {
        case .gzip, .bzip2, .xz, .zstd:
            "'\(path)' is compressed: decompress it first (\(rawValue) -d)"
        case .zip:
            "'\(path)' is a ZIP archive or a workbook: extract it, or save the table as .csv"
        }
    }
}
