import Catalogue
import Testing

struct DSCPTests {
    @Test(arguments: [
        ("0", 0), ("45", 45), ("63", 63), ("EF", 46), ("nqb", 45), ("CS1", 8), ("cs7", 56),
        ("AF41", 34), ("af13", 14), ("LE", 1), ("VA", 44),
    ])
    func `a number from 0 to 63 or a name is a code point`(text: String, value: UInt8) throws {
        #expect(try DSCP(parsing: text).value == value)
    }

    @Test(arguments: ["64", "-1", "", "256", "4 5", "0x2e", "AF44", "CS8", "٤"])
    func `another text is refused with the value`(text: String) {
        #expect(throws: (any Error).self) { try DSCP(parsing: text) }
    }
}
