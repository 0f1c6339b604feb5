import DNSWire
import Testing

struct ReadingTests {
    @Test func `all fixtures exist`() {
        #expect(Fixture.all.count == 77)
    }

    @Test(arguments: Fixture.all)
    func `each recorded message is classified correctly`(fixture: Fixture) throws {
        #expect(try fixture.read(fixture.octets).summary == fixture.expectation)
    }

    @Test func `extended errors are limited in number and length`() throws {
        let plain = try #require(Fixture.all.first { $0.name == "unasked-server-identifier" })
        let option: [UInt8] = [0, 15, 0x01, 0x2e, 0, 9] + Array(repeating: 0x78, count: 300)
        let options = Array(repeatElement(option, count: 20).joined())
        // The length of the OPT record's data and the data are the last 14 bytes.
        let length = [UInt8(options.count >> 8), UInt8(options.count & 0xff)]
        let start = Array(plain.octets.prefix(plain.octets.count - 14))
        guard case .response(let response) = try plain.read(start + length + options) else {
            Issue.record("not a response")
            return
        }
        #expect(response.extendedErrors.count == 16)
        #expect(response.extendedErrors.allSatisfy { $0.infoCode == 9 && $0.text.count == 200 })
    }

    @Test(arguments: Fixture.whole)
    func `a response has its ID and its size`(fixture: Fixture) throws {
        guard case .response(let response) = try fixture.read(fixture.octets) else {
            Issue.record("not a response")
            return
        }
        #expect(response.id == Fixture.queryID)
        #expect(response.size == fixture.octets.count)
    }

    @Test(arguments: Fixture.whole)
    func `a response cut at any length is malformed`(fixture: Fixture) throws {
        for length in 2..<fixture.octets.count {
            let reading = try fixture.read(Array(fixture.octets.prefix(length)))
            guard case .malformed = reading else {
                Issue.record("\(length) bytes are taken for \(reading.summary)")
                return
            }
        }
    }

    @Test(arguments: Fixture.whole)
    func `a truncated response may end after its question`(fixture: Fixture) throws {
        var octets = fixture.octets
        octets[2] |= 0x02
        let questionEnd = octets[5] == 0 ? 12 : 16 + fixture.question.name.wire.count
        for length in questionEnd...octets.count {
            let reading = try fixture.read(Array(octets.prefix(length)))
            guard case .response(let response) = reading else {
                Issue.record("\(length) bytes are taken for \(reading.summary)")
                return
            }
            #expect(response.truncated)
        }
    }

    @Test(arguments: Fixture.brokenRecords)
    func `broken records in a truncated response are accepted`(fixture: Fixture) throws {
        var octets = fixture.octets
        octets[2] |= 0x02
        #expect(try fixture.read(octets).summary.hasPrefix("response NOERROR tc"))
    }

    @Test func `an ID with swapped bytes is another ID`() throws {
        let fixture = try #require(Fixture.whole.first)
        let reading = try Query(fixture.question).read(fixture.octets.span, id: 0x3412)
        #expect(reading == .stray(.wrongID))
    }

    @Test func `an empty datagram is a stray`() throws {
        let fixture = try #require(Fixture.whole.first)
        #expect(try fixture.read([]) == .stray(.wrongID))
    }
}
