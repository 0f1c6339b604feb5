/// A format of compressed files, recognised by the first bytes of a file.
package enum Compression: String, CaseIterable, Sendable {
    case gzip, bzip2, xz, zstd, zip

    /// `nil` for a file of any other format.
    package init?(beginning bytes: some Collection<UInt8>) {
        let found = Self.allCases.first { format in
            format.marks.allSatisfy { offset, mark in bytes.dropFirst(offset).starts(with: mark) }
        }
        guard let found else { return nil }
        self = found
    }

    /// The magic bytes of the format, and their offsets.
    private var marks: [(offset: Int, bytes: [UInt8])] {
        switch self {
        case .gzip: [(0, [0x1f, 0x8b, 0x08])]
        // The digit between the two parts is the block size.
        case .bzip2: [(0, Array("BZh".utf8)), (4, [0x31, 0x41, 0x59, 0x26, 0x53, 0x59])]
        case .xz: [(0, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00])]
        case .zstd: [(0, [0x28, 0xb5, 0x2f, 0xfd])]
        case .zip: [(0, Array("PK\u{3}\u{4}".utf8))]
        }
    }

    /// The fault of the compressed file at `path`, and its correction.
    package func refusal(of path: String) -> String {
        switch self {
        case .gzip, .bzip2, .xz, .zstd:
            "'\(path)' is compressed: decompress it first (\(rawValue) -d)"
        case .zip:
            "'\(path)' is a ZIP archive or a workbook: extract it, or save the table as .csv"
        }
    }
}
