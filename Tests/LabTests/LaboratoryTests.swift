import Catalogue
import DNSWire
import Failures
import Testing

@testable import Lab

struct LaboratoryTests {
    /// Queries the resolver over UDP and returns its response; `nil` for any other message.
    private func ask(_ resolver: LabResolver) throws -> Response? {
        let client = try #require(LabClient(resolver))
        let query = try Query.example()
        try #require(client.send(query.bytes(id: 4711)))
        return try query.reading(of: #require(client.receive()), id: 4711).response
    }

    @Test func `every resolver of a lab answers under its name`() throws {
        let lab = Laboratory([.plain(), .plain { $0.name = "meadow" }], seed: 1)
        let resolvers = try lab.start()
        #expect(resolvers.map(\.name) == ["brook", "meadow"])
        for resolver in resolvers {
            let client = try #require(LabClient(resolver))
            let query = try Query.example { $0.nsid = true }
            try #require(client.send(query.bytes(id: 1)))
            let response = try query.reading(of: #require(client.receive()), id: 1).response
            #expect(response?.nsid == Array(resolver.name.utf8))
        }
        lab.stop()
    }

    @Test func `both families answer on one port`() throws {
        let lab = Laboratory([.plain()], seed: 1, families: [.v4, .v6])
        let resolvers = try lab.start()
        let addresses = resolvers.map { IPAddress(bytes: $0.bytes)?.description }
        #expect(addresses == ["127.0.0.1", "::1"])
        #expect(Set(resolvers.map(\.port)).count == 1)
        for resolver in resolvers { #expect(try ask(resolver)?.answerCount == 1) }
    }

    @Test func `several TCP queries, sent byte by byte, are answered on one connection`() throws {
        let lab = Laboratory([.plain { $0.baseDelay = .milliseconds(1) }], seed: 1)
        let client = try #require(LabClient(lab.start()[0], tcp: true))
        let query = try Query.example()
        let ids: [UInt16] = [1, 2, 3]
        for octet in ids.flatMap({ FrameAssembler.frame(query.bytes(id: $0)) }) {
            try #require(client.send([octet]))
        }
        var assembler = FrameAssembler()
        var messages: [[UInt8]] = []
        while messages.count < ids.count {
            let octets = try #require(client.receive())
            try #require(!octets.isEmpty)
            messages += assembler.append(octets)
        }
        for (id, message) in zip(ids, messages) {
            #expect(query.reading(of: message, id: id).response?.code == .noError)
        }
    }

    @Test func `a reply overtakes a slower reply on the same connection`() throws {
        let behaviour = Behaviour.plain {
            $0.coldCache = true
            $0.missDelayLow = .milliseconds(300)
            $0.missDelayHigh = .milliseconds(300)
        }
        let lab = Laboratory([behaviour], seed: 1)
        let client = try #require(LabClient(lab.start()[0], tcp: true))
        let query = try Query.example().bytes(id: 1)
        try #require(client.send(FrameAssembler.frame(query)))
        _ = client.receive()
        let cold = try Query.example("cold.example").bytes(id: 2)
        try #require(client.send(FrameAssembler.frame(cold) + FrameAssembler.frame(query)))
        var assembler = FrameAssembler()
        var ids: [UInt8] = []
        while ids.count < 2 {
            let octets = try #require(client.receive())
            try #require(!octets.isEmpty)
            ids += assembler.append(octets).map { $0[1] }
        }
        #expect(ids == [1, 2])
    }

    @Test func `messages that are not queries are ignored`() throws {
        let lab = Laboratory([.plain()], seed: 1)
        let resolver = try lab.start()[0]
        let client = try #require(LabClient(resolver))
        let query = try Query.example()
        for junk in [[], [0], [UInt8](repeating: 0xff, count: 600)] as [[UInt8]] {
            try #require(client.send(junk))
        }
        try #require(client.send(query.bytes(id: 8)))
        #expect(try query.reading(of: #require(client.receive()), id: 8).response != nil)
    }

    @Test func `a forged answer, the true answer and its duplicate arrive in order`() throws {
        let behaviour = Behaviour.plain {
            $0.baseDelay = .milliseconds(2)
            $0.wrongIDProbability = 1
            $0.duplicateProbability = 1
        }
        let lab = Laboratory([behaviour], seed: 1)
        let client = try #require(LabClient(lab.start()[0]))
        let query = try Query.example()
        try #require(client.send(query.bytes(id: 5)))
        let readings = try (0..<3).map { _ in
            try query.reading(of: #require(client.receive()), id: 5)
        }
        #expect(readings[0] == .stray(.wrongID))
        #expect(readings[1].response != nil && readings[1] == readings[2])
    }

    /// Returns an unused port below the ephemeral ports. Another process could take an ephemeral port as soon
    /// as it is free.
    private func freePort() throws -> UInt16 {
        let port = (0..<100).lazy.map { _ in UInt16.random(in: 10_000..<32_000) }
            .first { (try? Laboratory([.plain()], seed: 1, basePort: $0).start()) != nil }
        return try #require(port)
    }

    @Test func `a stopped lab frees its port for another lab`() throws {
        let port = try freePort()
        let first = Laboratory([.plain()], seed: 1, basePort: port)
        #expect(try first.start()[0].port == port)
        let second = Laboratory([.plain()], seed: 1, basePort: port)
        #expect(throws: Failure.self) { try second.start() }
        first.stop()
        let resolver = try second.start()[0]
        #expect(resolver.port == port)
        #expect(try ask(resolver) != nil)
    }

    @Test func `a lab stops when it is released`() throws {
        var lab: Laboratory? = Laboratory([.plain()], seed: 1, basePort: try freePort())
        let resolver = try #require(try lab?.start()[0])
        #expect(try ask(resolver) != nil)
        lab = nil
        #expect(LabClient(resolver, tcp: true) == nil)
    }

    @Test func `a running lab cannot be started again`() throws {
        let lab = Laboratory([.plain()], seed: 1)
        _ = try lab.start()
        #expect(throws: Failure.self) { try lab.start() }
        lab.stop()
        #expect(try lab.start().count == 1)
    }
}
