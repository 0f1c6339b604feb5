import Samples
import Testing

struct EndpointDistanceTests {
    @Test(arguments: [
        ("127.0.0.53:53", EndpointDistance.machine), ("[::1]:53", .machine),
        ("[::ffff:127.0.0.1]:53", .machine),
        ("10.1.2.3:53", .network), ("172.16.0.1:53", .network), ("172.31.255.1:53", .network),
        ("192.168.1.1:53", .network), ("169.254.1.1:53", .network), ("100.64.0.1:53", .network),
        ("100.127.0.1:53", .network), ("[fd00::1]:53", .network), ("[fc00::1]:53", .network),
        ("[fe80::1%eth0]:53", .network), ("[febf::1]:53", .network),
        ("172.32.0.1:53", .internet), ("172.15.0.1:53", .internet), ("100.63.0.1:53", .internet),
        ("100.128.0.1:53", .internet), ("192.169.0.1:53", .internet), ("8.8.8.8:53", .internet),
        ("[2001:db8::1]:53", .internet), ("[fec0::1]:53", .internet),
        ("dns.example:443", .internet),
        ("", .internet),
    ])
    func `an address determines the distance`(endpoint: String, distance: EndpointDistance) {
        let target = Recording.Target(
            label: "",
            endpoint: endpoint,
            transport: "udp",
            series: .cached
        )
        #expect(EndpointDistance(target.address) == distance)
    }
}
