import Protobuf
import Testing

/// Examples from the documentation of Protocol Buffers ("Encoding").
struct ProtobufTests {
    private func message(_ add: (inout EncodedMessage) -> Void) -> [UInt8] {
        var message = EncodedMessage()
        add(&message)
        return message.bytes
    }

    @Test func `fields are encoded as documented`() {
        #expect(message { $0.add(150 as UInt64, as: 1) } == [0x08, 0x96, 0x01])
        #expect(
            message { $0.add("testing", as: 2) }
                == [0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67]
        )
        let inner = message { message in
            var part = EncodedMessage()
            part.add(150 as UInt64, as: 1)
            message.add(part, as: 3)
        }
        #expect(inner == [0x1a, 0x03, 0x08, 0x96, 0x01])
        #expect(
            message { $0.add(plain: -2, as: 1) } == [0x08, 0xfe]
                + [UInt8](repeating: 0xff, count: 8) + [1]
        )
        for (number, zigzag) in [(-1, 1), (1, 2), (-2, 3), (2_147_483_647, 4_294_967_294)] {
            let encoded = message { $0.add(Int64(number), as: 1) }
            #expect(encoded == message { $0.add(UInt64(zigzag), as: 1) })
        }
        #expect(message { $0.add(0.0, as: 1) } == [])
        #expect(message { $0.add(optional: 0, as: 11) } == [0x58, 0x00])
        #expect(message { $0.add(packed: [1, -1], as: 12) } == [0x62, 0x02, 0x02, 0x01])
    }

    @Test func `a written message is read unchanged`() throws {
        let octets = message { message in
            message.add(Int64.min, as: 5)
            message.add(fixed: 0x0102_0304, as: 9)
            message.add(1.5, as: 3)
            message.add("é", as: 2_000)
        }
        var reader = MessageReader(octets[...])
        let first = try #require(try reader.next())
        #expect(first.field == 5 && first.value.signed == .min)
        #expect(try reader.next()?.value.fixed == 0x0102_0304)
        #expect(try reader.next()?.value == .fixed64((1.5).bitPattern))
        let text = try #require(try reader.next())
        #expect(text.field == 2_000 && text.value.bytes == [0xc3, 0xa9])
        #expect(try reader.next() == nil)
    }

    @Test(
        arguments: [
            // Messages that end within a tag, a number or a length; lengths beyond the end; a
            // group; field 0; numbers of more than 64 bits.
            [0x80], [0x08], [0x08, 0x80], [0x12], [0x12, 0x02, 0x00], [0x0d, 0, 0, 0], [0x0b],
            [0x00, 0x00],
            [0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
            [0x08] + [UInt8](repeating: 0x80, count: 10) + [0x00],
        ] as [[UInt8]]
    )
    func `bytes that are not a message are rejected`(octets: [UInt8]) {
        var reader = MessageReader(octets[...])
        #expect(throws: MessageReader.Fault.self) { while try reader.next() != nil {} }
    }
}
