import DNSWire
import Samples
import Testing

@Suite struct RecordingPlacesTests {
    private static func target(_ label: String, _ endpoint: String) -> Recording.Target {
        Recording.Target(label: label, endpoint: endpoint, transport: "udp", series: .cached)
    }

    @Test(arguments: [
        ("system", "192.0.2.1:53", true), ("system-2", "[2001:db8::1]:53", true),
        ("gateway", "192.0.2.1:53", true), ("router", "192.168.1.1:53", true),
        ("router", "172.16.0.1:53", true), ("router", "[fd00::1]:853#dns.example", true),
        ("router", "[fe80::1%eth0]:53", true), ("own", "127.0.0.1:5311", true),
        ("meadow", "192.0.2.1:53", false), ("systematic", "192.0.2.1:53", false),
        ("meadow", "172.32.0.1:53", false), ("meadow", "lab:meadow", false),
        ("meadow", "anything", false),
    ])
    func `the name of a local resolver contains its place`(
        label: String,
        endpoint: String,
        isOfPlace: Bool
    ) {
        let target = Self.target(label, endpoint)
        #expect(target.isOfItsPlace == isOfPlace)
        let name = isOfPlace ? "\(label) from home" : label
        #expect(target.named(at: "home").label == name)
        #expect(target.named(at: "home").name(name, at: "home") == "\(label) from home")
        let common = target.named(at: "home").common(at: "home")
        #expect(common.label == label && common.endpoint == (isOfPlace ? "" : endpoint))
    }

    @Test(arguments: [
        ("system from home", "system"), ("system from a from b", "system"),
        ("system from b", "system from b"), ("system", "system"), ("system from ", "system from "),
    ])
    func `only the name of a place that measured is removed`(label: String, own: String) {
        let places: Set = ["home", "office", "a from b"]
        #expect(Self.target(label, "192.0.2.1:53").unnamed(among: places).label == own)
    }

    @Test func `each place has its own local resolver`() throws {
        var recording = Recording(
            runs: ["home", "office"].map {
                Run(id: $0, vantage: $0, timeout: .seconds(5))
            },
            rounds: [0, 1, 0].map { Round(run: $0, number: 1) },
            targets: [
                Self.target("router", "192.168.1.1:53"), Self.target("meadow", "192.0.2.1:53"),
            ],
            questions: [Question(name: try DomainName("example.com"), type: .a)]
        )
        for round in 0..<3 as Range<Int32> {
            for target in 0..<2 as Range<Int32> {
                recording.samples.append(
                    Sample(
                        round: round,
                        target: target,
                        question: 0,
                        scheduled: Timestamp(hoursSinceEpoch: 1),
                        observation: Observation(outcome: .timeout)
                    )
                )
            }
        }
        let apart = recording.apartByPlace
        let labels = apart.samples.map { apart.targets[Int($0.target)].label }
        #expect(
            labels == [
                "router from home", "meadow", "router from office", "meadow", "router from home",
                "meadow",
            ]
        )
        #expect(Set(apart.targets.map(\.label)) == Set(labels))
        #expect(apart.targets.count == 3)
    }
}
