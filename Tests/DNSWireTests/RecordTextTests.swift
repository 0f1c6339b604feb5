import DNSWire
import Testing

@Suite struct RecordTextTests {
    @Test(arguments: [
        ("A", "192.0.2.1", "192.0.2.1"),
        ("AAAA", "2001:DB8:0:0::1", "2001:db8::1"),
        ("MX", "10 Mail.Example.ORG", "10 mail.example.org."),
        ("CNAME", "WWW.example.", "www.example."),
        ("TXT", "\"a b\" c", "\"a b\" \"c\""),
        ("CAA", "0 issue \"ca.example\"", "0 issue \"ca.example\""),
        ("TYPE65280", "\\# 2 00fF", "\\# 2 00ff"),
    ])
    func `equal data is printed equally`(type: String, text: String, spelled: String) throws {
        let type = try #require(RecordType(mnemonic: type))
        #expect(RecordText.data(text, of: type) == spelled)
        #expect(RecordText.data(spelled, of: type) == spelled)
    }

    @Test(arguments: [
        ("A", "192.0.2"), ("A", ""), ("A", "192.0.2.1 192.0.2.2"), ("AAAA", "192.0.2.1"),
        ("MX", "mail.example"), ("A", "192.0.2.1\n. 0 IN A 192.0.2.2"),
        ("TXT", String(repeating: "a", count: 5000)),
    ])
    func `invalid data of a type has no description`(type: String, text: String) throws {
        let type = try #require(RecordType(mnemonic: type))
        #expect(RecordText.data(text, of: type) == nil)
    }

    /// Returns an answer whose records have the question's name. Each record is a type and its
    /// data.
    private func answer(to query: Query, _ records: [(UInt8, [UInt8])]) -> [UInt8] {
        var answer = Array(query.bytes(id: 7).prefix(12 + 13 + 4))
        answer[2] = 0x81
        (answer[7], answer[11]) = (UInt8(records.count), 0)
        for (type, data) in records {
            answer += [0xc0, 12, 0, type, 0, 1, 0, 0, 1, 0, 0, UInt8(data.count)] + data
        }
        return answer
    }

    @Test func `a query keeps only data of its own type`() throws {
        let query = try Query(Question(name: DomainName("example.org"), type: .mx))
        let exchange: [UInt8] = [0, 10, 4] + Array("MaIl".utf8) + [0xc0, 12]
        let octets = answer(to: query, [(15, exchange), (1, [192, 0, 2, 1])])
        for (asked, data) in [(query, nil), (query.keepingData, ["10 mail.example.org."])] {
            guard case .response(let response) = asked.read(octets.span, id: 7) else {
                Issue.record("no response")
                return
            }
            #expect(response.data == data)
            #expect(response.answerCount == 2)
        }
    }

    @Test func `control characters are escaped`() throws {
        let query = try Query(Question(name: DomainName("example.org"), type: .txt)).keepingData
        let octets = answer(to: query, [(16, [4, 0x1b, 0x22, 0xff, 0])])
        guard case .response(let response) = query.read(octets.span, id: 7) else {
            Issue.record("no response")
            return
        }
        #expect(response.data == ["\"\\027\\\"\\255\\000\""])
    }
}
