import Files
import Testing

struct CompressionTests {
    @Test(
        arguments: [
            ([0x1f, 0x8b, 0x08], .gzip), (Array("BZh91AY&SY".utf8), .bzip2),
            ([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], .xz), ([0x28, 0xb5, 0x2f, 0xfd], .zstd),
            ([0x50, 0x4b, 0x03, 0x04], .zip),
        ] as [([UInt8], Compression)]
    )
    func `a compressed file is recognised`(beginning: [UInt8], format: Compression) {
        #expect(Compression(beginning: beginning) == format)
        #expect(format.refusal(of: "x").hasPrefix("'x' is "))
        for count in beginning.indices {
            #expect(Compression(beginning: beginning.prefix(count)) == nil)
        }
    }

    @Test(arguments: ["", "BZhang.example\n", "run,round\n", "[{}]", "SQLite format 3\0"])
    func `other files are not recognised as compressed`(text: String) {
        #expect(Compression(beginning: Array(text.utf8)) == nil)
    }
}
