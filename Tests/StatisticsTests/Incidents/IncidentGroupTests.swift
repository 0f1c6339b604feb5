import Testing

@testable import Statistics

struct IncidentGroupTests {
    /// An incident with four weeks until its end.
    private static func incident(
        _ start: Int,
        size: Double = 5,
        kind: Incident.Kind = .step,
        within: Int = 0
    ) -> Incident {
        Incident(
            kind: kind,
            start: start,
            within: start...(start + within),
            established: start + 2,
            size: size,
            before: 10,
            interval: size...size
        )
    }

    /// Returns the scope of the groups of incidents that begin at 100, one for each of `resolvers`.
    private static func scopes(
        _ resolvers: [Int],
        networks: [Int: String]
    ) -> [IncidentScope] {
        let found = resolvers.map { ResolverIncident($0, .median, incident(100)) }
        return IncidentGroup.groups(of: found).map { $0.scope(networks) }
    }

    @Test func `groups equal the reference`() throws {
        let golden = try IncidentGolden.read()
        let found = try golden.members.map { row in
            ResolverIncident(try #require(row.resolver), .median, row.incident)
        }
        let networks = Dictionary(uniqueKeysWithValues: (0..<5).map { ($0, "n\($0)") })
        let groups = IncidentGroup.groups(of: found)
        try #require(groups.count == golden.groups.count)
        for (group, expected) in zip(groups, golden.groups) {
            #expect(group.kind == expected.kind && group.scope(networks) == expected.scope)
            #expect(group.resolvers == expected.who)
            #expect(group.start == expected.start && group.end == expected.end)
            #expect((group.size * 1e4).rounded() / 1e4 == expected.size)
        }
    }

    /// The incidents of Reference/incidents-groups.tsv.
    private static func random(
        _ seed: Int
    ) -> (networks: [Int: Int], found: [ResolverIncident<Int>]) {
        var source = CongruentialGenerator(state: 2_000_000 + UInt64(seed))
        for _ in 0..<3 { _ = source.below(1) }
        let count = 2 + source.below(6)
        var networks: [Int: Int] = [:]
        for resolver in 0..<count { networks[resolver] = source.below(1 + source.below(count)) }
        var time = 490_000
        let found = (0..<(1 + source.below(14))).map { _ in
            time += source.below(30)
            let kind: Incident.Kind = [.episode, .step, .drift][source.below(3)]
            let (low, high) = (source.below(30), source.below(60))
            let size = Double(1 + source.below(40)) / 4 * (source.below(4) > 0 ? 1 : -1)
            let start = time + source.below(5)
            let resolver = source.below(count)
            let measure: Incident.Measure = source.below(4) == 3 ? .loss : .median
            let end = source.below(5) == 0 ? nil : start + 1 + source.below(200)
            let incident = Incident(
                kind: kind,
                start: start,
                within: (start - low)...(start + high),
                end: end,
                established: start + source.below(40),
                size: size,
                before: 0,
                interval: 0...0
            )
            return ResolverIncident(resolver, measure, incident)
        }
        return (networks, found)
    }

    @Test func `random incidents have the reference's groups`() throws {
        let lines = try IncidentGolden.lines("incidents-groups.tsv")
        try #require(lines.count == 100)
        for (index, line) in lines.enumerated() {
            let (networks, found) = Self.random(index + 1)
            let groups = IncidentGroup.groups(of: found).map { group in
                let who = group.resolvers.map(String.init).joined(separator: "+")
                let end = group.end.map { "\($0)" } ?? "None"
                return
                    "\(group.measure) \(group.kind) \(group.scope(networks)) \(who) \(group.start) \(end) "
                    + "\(group.established) \(group.size) \(group.sizes.lowerBound) "
                    + "\(group.sizes.upperBound)"
            }
            #expect(groups.joined(separator: ",") == line[1], "\(index + 1)")
        }
    }

    @Test func `three resolvers of two networks, or all of three, show the line`() {
        let networks = [0: "a", 1: "a", 2: "a", 3: "b", 4: "b"]
        #expect(Self.scopes([0, 1, 3], networks: networks) == [.line])
        #expect(Self.scopes([0, 1, 2], networks: networks) == [.several])
        #expect(Self.scopes([0, 1, 2], networks: [0: "a", 1: "a", 2: "a"]) == [.line])
        #expect(Self.scopes([0, 3], networks: networks) == [.several])
        #expect(Self.scopes([0, 1], networks: [0: "a", 1: "b"]) == [.all])
        #expect(Self.scopes([0], networks: [0: "a"]) == [.one])
        #expect(Self.scopes([], networks: networks) == [])
    }

    @Test(arguments: [
        (start: 103, size: 2.0, kind: Incident.Kind.episode, within: 0, count: 1),
        (start: 104, size: 2, kind: .episode, within: 0, count: 2),
        (start: 104, size: 2, kind: .episode, within: 8, count: 1),
        (start: 148, size: 2, kind: .step, within: 400, count: 1),
        (start: 149, size: 2, kind: .step, within: 400, count: 2),
        (start: 100, size: -2, kind: .step, within: 0, count: 2),
        (start: 100, size: 2, kind: .drift, within: 0, count: 2),
    ])
    func `starts, directions and kinds decide whether incidents are one`(
        start: Int,
        size: Double,
        kind: Incident.Kind,
        within: Int,
        count: Int
    ) {
        let other = Self.incident(start, size: size, kind: kind, within: within)
        let found = [
            ResolverIncident("a", .loss, Self.incident(100)), ResolverIncident("b", .loss, other),
        ]
        #expect(IncidentGroup.groups(of: found).count == count)
    }

    @Test(arguments: [(within: 7, count: 2), (8, 1), (400, 1)])
    func `incidents whose starts can lie in one hour are one`(within: Int, count: Int) {
        // The largest difference of half of 8 hours would be 4.
        let found = [
            ResolverIncident("a", .loss, Self.incident(100, within: within)),
            ResolverIncident("b", .loss, Self.incident(108)),
        ]
        #expect(IncidentGroup.groups(of: found).count == count)
    }

    @Test func `incidents that begin more than two days apart are two`() {
        let found = [
            ResolverIncident("a", .loss, Self.incident(100, within: 400)),
            ResolverIncident("b", .loss, Self.incident(149)),
        ]
        #expect(IncidentGroup.groups(of: found).count == 2)
    }

    @Test func `a group has one incident per resolver, and one measure`() {
        let found = [
            ResolverIncident("a", .loss, Self.incident(100)),
            ResolverIncident("a", .loss, Self.incident(101)),
            ResolverIncident("b", .median, Self.incident(100)),
        ]
        let groups = IncidentGroup.groups(of: found)
        #expect(groups.map { $0.scope(["a": 1, "b": 2]) } == [.one, .one, .one])
    }
}

extension IncidentGroup {
    /// The scope among the resolvers of `networks`.
    fileprivate func scope<Network: Hashable>(_ networks: [Resolver: Network]) -> IncidentScope {
        IncidentScope(
            of: resolvers.count,
            among: networks.count,
            networks: Set(resolvers.compactMap { networks[$0] }).count
        )
    }
}
