import DNSWire
import Testing

@Suite struct PaddingTests {
    @Test(arguments: 1...63)
    func `a padded query fills whole blocks, and is otherwise unchanged`(length: Int) throws {
        let name = try DomainName(String(repeating: "a", count: length) + ".example.com")
        var options = QueryOptions()
        options.nsid = true
        let query = try Query(Question(name: name, type: .a), options: options)
        let padded = query.padded(toMultipleOf: 128)
        #expect(padded.size % 128 == 0)
        #expect(padded.size - query.size < 128 + 4)
        let (message, bare) = (padded.bytes(id: 7), query.bytes(id: 7))
        // The bytes up to the length of the OPT record's data are equal. The length has two bytes,
        // and the NSID option after it has four.
        let before = bare.count - 2 - 4
        #expect(message.prefix(before) == bare.prefix(before))
        let data = Int(message[before]) << 8 | Int(message[before + 1])
        #expect(before + 2 + data == message.count)
        #expect(message[(before + 2)...].starts(with: [0, 3, 0, 0, 0, 12]))
        let padding = Int(message[before + 8]) << 8 | Int(message[before + 9])
        #expect(before + 10 + padding == message.count)
        #expect(message.suffix(padding).allSatisfy { $0 == 0 })
    }
}
