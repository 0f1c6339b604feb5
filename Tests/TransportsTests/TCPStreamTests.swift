import DNSWire
import Servers
import Testing

@testable import Transports

@Suite struct TCPStreamTests {
    @Test func `an answer with one byte per segment is read`() async throws {
        try await withResponder {
            [.trickle($0.answer())]
        } _: { responder in
            let transport = try Carrier.tcp.transport(to: responder.endpoint)
            let exchange = await transport.exchange(try query(), timeout: .seconds(60))
            #expect(exchange.response?.addresses == [[192, 0, 2, 1]])
        }
    }

    @Test(arguments: [ResponderAction.reset, .close])
    func `a connection that ends within an answer is malformed`(end: ResponderAction) async throws {
        try await withResponder {
            [.raw([0, 200] + $0.answer()), end]
        } _: { responder in
            let transport = try Carrier.tcp.transport(to: responder.endpoint)
            let exchange = await transport.exchange(try query(), timeout: .seconds(60))
            // A reset may overtake the bytes before it. Then no byte of the answer has arrived.
            switch exchange.result {
            case .malformed(let reason): #expect(reason.contains("of 200 bytes"))
            case .unreachable: #expect(end == .reset)
            default: Issue.record("\(exchange.result)")
            }
        }
    }

    @Test func `a connection closed without an answer is unreachable`() async throws {
        try await withResponder { _ in
            [.close]
        } _: { responder in
            let transport = try Carrier.tcp.transport(to: responder.endpoint)
            let exchange = await transport.exchange(try query(), timeout: .seconds(60))
            #expect(exchange.failure == "unreachable: connection closed without an answer")
        }
    }

    @Test func `the time of a retransmitted query begins with its first segment`() async throws {
        let folder = TemporaryFolder()
        try await withServer(LossyResponder(log: folder.file("lost"))) { server in
            let transport = try Carrier.tcp.transport(to: server.endpoint)
            let exchange = await transport.exchange(try query(), timeout: .seconds(60))
            #expect(exchange.response != nil, "\(exchange.result), \(server.evidence)")
            #expect(exchange.clock == .kernel)
            let lost = try #require(Int64(folder.text("lost").dropLast()))
            #expect(try #require(exchange.sent) < lost)
        }
    }

    @Test func `frames are read in any segmentation`() throws {
        let messages = [0, 1, 2].map { [UInt8](repeating: $0, count: 12 + Int($0)) }
        let stream: [UInt8] = messages.flatMap { message -> [UInt8] in
            [0, UInt8(message.count)] + message
        }
        for cut in 0...stream.count {
            var reader = FrameReader()
            var taken: [[UInt8]] = []
            for part in [stream[..<cut], stream[cut...]] {
                unsafe part.withUnsafeBytes { unsafe reader.append($0) }
                while let message = try reader.next() { taken.append(message) }
            }
            #expect(taken == messages)
            #expect(reader.isEmpty)
        }
    }

    @Test func `a message that is shorter than a header is rejected by its length`() {
        var reader = FrameReader()
        unsafe ([0, 11] as [UInt8]).withUnsafeBytes { unsafe reader.append($0) }
        #expect(throws: ConnectionEnd.self) { try reader.next() }
    }
}
