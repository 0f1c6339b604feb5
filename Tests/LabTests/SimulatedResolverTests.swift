import Catalogue
import DNSWire
import Testing

@testable import Lab

struct SimulatedResolverTests {
    private typealias Carrier = SimulatedResolver.Carrier
    private static let second: Int64 = 1_000_000_000

    /// Returns the responses of a new resolver to one query.
    private func responses(
        _ behaviour: Behaviour,
        _ query: Query,
        over carrier: Carrier = .udp
    ) -> [Reading] {
        var resolver = SimulatedResolver(behaviour)
        return resolver.replies(to: query.bytes(id: 77), over: carrier, at: 0)
            .map { query.reading(of: $0.message, id: 77) }
    }

    private func only(
        _ behaviour: Behaviour,
        _ query: Query,
        over carrier: Carrier = .udp
    ) throws -> Response {
        let readings = responses(behaviour, query, over: carrier)
        #expect(readings.count == 1)
        return try #require(readings.first?.response)
    }

    @Test func `answers contain addresses from a documentation network`() throws {
        let response = try only(.plain { $0.answers = 3 }, .example())
        #expect(response.code == .noError && response.answerCount == 3)
        #expect(response.recursionAvailable && response.recursionDesired)
        #expect(!response.truncated && !response.authoritative && response.ttl == 300)
        #expect(response.addresses.allSatisfy { $0.prefix(3) == [192, 0, 2] })
        #expect(Set(response.addresses).count == 3)
    }

    @Test func `AAAA queries are answered with IPv6 addresses`() throws {
        let response = try only(.plain(), .example("www.example.com", .aaaa))
        let address = try #require(response.addresses.first)
        #expect(address.prefix(8) == [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0])
    }

    @Test func `every resolver returns the same address for a name`() throws {
        let other = try only(.plain { $0.name = "meadow" }, .example("WWW.example.com"))
        #expect(try other.addresses == only(.plain(), .example()).addresses)
    }

    @Test func `queries of other types are answered without records`() throws {
        let query = try Query.example("www.example.com", RecordType(rawValue: 15))
        let response = try only(.plain(), query)
        #expect(response.code == .noError && response.answerCount == 0)
    }

    @Test func `a text record and NSID name the resolver`() throws {
        #expect(try only(.plain(), .example("x.example", .txt)).answerCount == 1)
        let response = try only(.plain(), .example { $0.nsid = true })
        #expect(response.nsid == Array("brook".utf8))
        #expect(try only(.plain(), .example()).nsid == nil)
    }

    @Test(arguments: ["invalid", "a.b.invalid", "INVALID"])
    func `names below invalid do not exist`(name: String) throws {
        let response = try only(.plain(), .example(name))
        #expect(response.code == .nxDomain && response.answerCount == 0)
    }

    @Test(arguments: ["notinvalid", "invalid.example", "x.7invalid"])
    func `names that only resemble invalid exist`(name: String) throws {
        #expect(try only(.plain(), .example(name)).code == .noError)
    }

    @Test func `a rewriting resolver invents an address`() throws {
        let response = try only(.plain { $0.nxdomainRewrite = true }, .example("a.invalid"))
        #expect(response.code == .noError && response.addresses == [[198, 51, 100, 80]])
    }

    @Test func `a signed name is validated and comes with its signature`() throws {
        let name = "one.checks.test"
        let signed = try only(.plain(), .example(name) { $0.dnssecOK = true })
        #expect(signed.authenticData && signed.dnssecOK && signed.hasSignatures)
        #expect(signed.addresses.count == 1)
        let bare = try only(.plain(), .example(name))
        #expect(!bare.authenticData && !bare.dnssecOK && !bare.hasSignatures)
        #expect(try only(.plain(), .example(name) { $0.authenticData = true }).authenticData)
        #expect(try !only(.plain(), .example { $0.dnssecOK = true }).hasSignatures)
    }

    @Test func `a name with a wrong signature fails unless checking is disabled`() throws {
        let name = "bogus.one.checks.test"
        #expect(try only(.plain(), .example(name)).code == .servFail)
        let unchecked = try only(.plain(), .example(name) { $0.checkingDisabled = true })
        #expect(unchecked.code == .noError && unchecked.answerCount == 1)
        #expect(!unchecked.authenticData)
    }

    @Test func `a private address is filtered, and each resolver has its own egress address`()
        throws
    {
        let inner = try only(.plain(), .example("private.checks.test"))
        #expect(inner.code == .noError && inner.answerCount == 0)
        let query = try Query.example("whoami.checks.test", .txt)
        let (mine, other) = try (
            only(.plain(), query).texts, only(.plain { $0.name = "meadow" }, query).texts
        )
        #expect(mine.first?.first?.hasPrefix("2001:db8:0:0:") == true && mine != other)
    }

    @Test func `a refusing resolver refuses`() throws {
        #expect(try only(.plain { $0.refuse = true }, .example()).code == .refused)
    }

    @Test func `a failing resolver answers SERVFAIL`() throws {
        #expect(try only(.plain { $0.servfailProbability = 1 }, .example()).code == .servFail)
    }

    @Test(arguments: [
        Behaviour.plain { $0.silent = true }, Behaviour.plain { $0.lossProbability = 1 },
    ])
    func `a silent or lossy resolver sends no answer`(behaviour: Behaviour) throws {
        #expect(try responses(behaviour, .example()).isEmpty)
        #expect(try responses(behaviour, .example(), over: .tcp).isEmpty)
    }

    @Test func `a truncated answer is complete over TCP`() throws {
        let behaviour = Behaviour.plain { $0.truncateProbability = 1 }
        let cut = try only(behaviour, .example())
        #expect(cut.truncated && cut.answerCount == 0)
        let whole = try only(behaviour, .example(), over: .tcp)
        #expect(!whole.truncated && whole.answerCount == 1)
    }

    @Test func `an answer that exceeds the buffer size is truncated`() throws {
        let many = Behaviour.plain { $0.answers = 200 }
        #expect(try only(many, .example()).truncated)
        #expect(try only(many, .example(), over: .tcp).answerCount == 200)
        #expect(try only(many, .example { $0.bufferSize = 4096 }).answerCount == 200)
    }

    @Test func `a duplicate is the same answer again`() throws {
        let readings = try responses(.plain { $0.duplicateProbability = 1 }, .example())
        #expect(readings.count == 2 && readings.first == readings.last)
    }

    @Test func `a forged answer has another ID and comes first`() throws {
        let behaviour = Behaviour.spread { $0.wrongIDProbability = 1 }
        var resolver = SimulatedResolver(behaviour)
        let query = try Query.example()
        let replies = resolver.replies(to: query.bytes(id: 77), over: .udp, at: 0)
        #expect(replies.map { $0.due }.sorted() == replies.map(\.due))
        #expect(replies.first?.due != replies.last?.due)
        let readings = replies.map { query.reading(of: $0.message, id: 77) }
        #expect(readings.first == .stray(.wrongID))
        #expect(readings.last?.response?.code == .noError)
    }

    @Test func `a reply is due after its drawn delay`() throws {
        let behaviour = Behaviour.spread {
            $0.lateProbability = 1
            $0.lateDelay = .seconds(9)
        }
        var resolver = SimulatedResolver(behaviour)
        var model = DelayModel(behaviour, seed: 7, resolver: 0)
        let query = try Query.example().bytes(id: 1)
        for arrival in [Int64(0), 5, 1_000_000] {
            let replies = resolver.replies(to: query, over: .udp, at: arrival)
            let delay = model.next().hitDelay + .seconds(9)
            #expect(replies.map(\.due) == [arrival + delay.nanoseconds])
        }
    }

    @Test func `the TTL counts down until the name is fetched again`() throws {
        var resolver = SimulatedResolver(.plain { $0.ttl = 10 })
        let query = try Query.example()
        let ttls = [0, 0.5, 3.2, 9.5, 10.5, 12].map { moment in
            let arrival = Int64(moment * Double(Self.second))
            let replies = resolver.replies(to: query.bytes(id: 1), over: .udp, at: arrival)
            return replies.first.flatMap { query.reading(of: $0.message, id: 1).response?.ttl }
        }
        #expect(ttls == [10, 10, 7, 1, 10, 9])
    }

    @Test func `a cold cache delays each name once until its TTL expires`() throws {
        var resolver = SimulatedResolver(
            .plain {
                $0.coldCache = true
                $0.missDelayLow = .milliseconds(40)
                $0.missDelayHigh = .milliseconds(40)
                $0.ttl = 10
            }
        )
        let names = ["a.example", "a.example", "b.example", "A.example", "a.example"]
        let moments = [0, 1, 2, 3, 11].map { Int64($0) * Self.second }
        let delays = try zip(names, moments).flatMap { name, moment in
            let query = try Query.example(name).bytes(id: 1)
            return resolver.replies(to: query, over: .udp, at: moment)
                .map { ($0.due - moment) / 1_000_000 }
        }
        #expect(delays == [40, 0, 40, 0, 40])
    }
}
