/// A message that a `ScriptedResponder` received.
package struct ReceivedQuery: Hashable, Sendable {
    package enum Transport: Hashable, Sendable { case udp, tcp }

    /// The DNS message without the length field of TCP.
    package let bytes: [UInt8]
    package let peer: SocketAddress
    package let transport: Transport
    /// The number of messages that the responder received before this message.
    package let ordinal: Int

    /// The ID of the header; 0 if the message is too short.
    package var id: UInt16 {
        bytes.count < 2 ? 0 : UInt16(bytes[0]) << 8 | UInt16(bytes[1])
    }

    /// The bytes of the question section, including type and class; empty if the section is incomplete.
    package var question: [UInt8] {
        var end = 12
        while end < bytes.count, bytes[end] != 0 { end += 1 + Int(bytes[end]) }
        end += 5
        return end <= bytes.count ? Array(bytes[12..<end]) : []
    }

    /// Returns an answer to the query. It repeats the ID and the question, and has an A record for each
    /// address ([RFC 1035 §4.1](https://www.rfc-editor.org/rfc/rfc1035#section-4.1)).
    package func answer(
        rcode: UInt8 = 0,
        truncated: Bool = false,
        addresses: [[UInt8]] = [[192, 0, 2, 1]],
        ttl: UInt32 = 300
    ) -> [UInt8] {
        let question = self.question
        var answer = Array(bytes.prefix(2))
        answer += [0x81 | (truncated ? 2 : 0), 0x80 | (rcode & 15)]
        answer += [0, question.isEmpty ? 0 : 1, 0, UInt8(truncatingIfNeeded: addresses.count)]
        answer += [0, 0, 0, 0] + question
        for address in addresses {
            answer += [0xc0, 12, 0, 1, 0, 1]
            answer += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: ttl >> $0) }
            answer += [0, UInt8(truncatingIfNeeded: address.count)] + address
        }
        return answer
    }

    /// Returns an answer with a TXT record for each text. Each text is cut at 255 bytes.
    package func answer(texts: [String], ttl: UInt8 = 60) -> [UInt8] {
        var answer = answer(addresses: [])
        answer[7] = UInt8(truncatingIfNeeded: texts.count)
        for text in texts {
            let octets = Array(text.utf8.prefix(255))
            answer += [0xc0, 12, 0, 16, 0, 1, 0, 0, 0, ttl]
            answer += [0, UInt8(truncatingIfNeeded: octets.count + 1)]
            answer += [UInt8(truncatingIfNeeded: octets.count)] + octets
        }
        return answer
    }

    /// Whether the query requests recursion.
    package var asksRecursion: Bool { bytes.count > 2 && bytes[2] & 1 == 1 }

    /// The UDP payload size in the OPT record; `nil` without an OPT record.
    package var bufferSize: Int? {
        let record = Array(bytes.dropFirst(12 + question.count).prefix(5))
        guard record.count == 5, record.starts(with: [0, 0, 41]) else { return nil }
        return Int(record[3]) << 8 | Int(record[4])
    }

    /// The EDNS options, with their codes.
    package var options: [(code: Int, data: [UInt8])] {
        guard bufferSize != nil else { return [] }
        // Only the OPT record follows the question. Its name, type, class, TTL and length have 11 bytes.
        var rest = bytes.dropFirst(12 + question.count + 11)
        var found: [(code: Int, data: [UInt8])] = []
        while rest.count >= 4 {
            let header = Array(rest.prefix(4))
            let data = Array(rest.dropFirst(4).prefix(Int(header[2]) << 8 | Int(header[3])))
            rest = rest.dropFirst(4 + data.count)
            found.append((Int(header[0]) << 8 | Int(header[1]), data))
        }
        return found
    }

    /// Returns an answer whose only record is an OPT record with one option.
    package func answer(option code: UInt8, _ data: [UInt8]) -> [UInt8] {
        var answer = answer(addresses: [])
        answer[11] = 1
        return answer + [0, 0, 41, 4, 0xd0, 0, 0, 0, 0, 0, UInt8(data.count + 4)]
            + [0, code, 0, UInt8(data.count)] + data
    }

    /// The client's IPv4 network, such as `192.0.2.0/24`; `nil` if the query does not contain it
    /// ([RFC 7871 §6](https://www.rfc-editor.org/rfc/rfc7871#section-6)).
    package var clientSubnet: String? {
        for (code, data) in options where code == 8 && data.count >= 4 && data[1] == 1 {
            let address = (data.dropFirst(4) + [0, 0, 0, 0]).prefix(4)
            return address.map(String.init).joined(separator: ".") + "/\(data[2])"
        }
        return nil
    }
}
