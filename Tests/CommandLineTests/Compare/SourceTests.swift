import Foundation
import Servers
import Testing

/// Queries from requested source addresses and interfaces.
@Suite struct SourceTests {
    private static let short = [
        "-d", "example.org", "--rounds", "2", "--warmup", "0", "--rate", "50", "--no-store",
        "--no-check", "--no-floor", "--format", "json",
    ]

    private func peers(_ responder: ScriptedResponder) -> [String] {
        responder.queries.map(\.peer.address).sorted()
    }

    @Test(arguments: ["", "tcp://"])
    func `a resolver is compared with itself over several sources`(scheme: String) async throws {
        try await withResponder { query in
            [.reply(query.answer())]
        } _: { responder in
            let run = try await Command.succeed(
                ["compare", "it=\(scheme)\(responder.endpoint)", "--source", "127.0.0.2"]
                    + ["--source", "127.0.0.3"] + Self.short
            )
            let report = try JSON(run.output)
            for label in ["it@127.0.0.2", "it@127.0.0.3"] {
                let row = try report.resolver(label)
                #expect(row["answered"] as? Int == 2)
                #expect(row["endpoint"] as? String == "\(responder.endpoint)")
            }
            #expect(peers(responder) == ["127.0.0.2", "127.0.0.2", "127.0.0.3", "127.0.0.3"])
        }
    }

    @Test(.enabled(if: PacketCapture.isPermitted, "capturing packets takes the rights of root"))
    func `connections to answer addresses leave from the source of the query`() async throws {
        try await withResponder { query in
            [.reply(query.answer(addresses: [[127, 0, 0, 1]]))]
        } _: { responder in
            let port = responder.endpoint.port
            try await withPacketCapture(ports: [port]) { capture in
                let run = try await Command.succeed(
                    ["compare", "it=\(responder.endpoint)", "--source", "127.0.0.2"]
                        + ["--source", "127.0.0.3", "--connect", "--connect-port", "\(port)"]
                        + Self.short
                )
                #expect(run.errors.contains("20 times to each from each source; --no-connect"))
                let report = try JSON(run.output)
                for label in ["it@127.0.0.2", "it@127.0.0.3"] {
                    #expect(try report.resolver(label)["connect_ms"] is Double)
                }
                let segments = try await capture.packets().filter {
                    $0.transport == .tcp && $0.destination == responder.endpoint
                }
                #expect(Set(segments.map(\.source.address)) == ["127.0.0.2", "127.0.0.3"])
            }
        }
    }

    @Test func `the source in a campaign becomes part of the label`() async throws {
        let folder = TemporaryFolder()
        try await withResponder { query in
            [.reply(query.answer())]
        } _: { responder in
            let campaign = try folder.write(
                """
                domains = ["example.org"]
                source = "127.0.0.9"
                [[resolver]]
                name = "it"
                address = "\(responder.endpoint)"
                """,
                to: "c.toml"
            )
            let store = folder.file("s.sqlite")
            try await Command.succeed(
                ["sample", "--campaign", campaign, "--store", store, "--no-check", "--rate", "50"]
            )
            #expect(Set(peers(responder)) == ["127.0.0.9"])
            let report = try await Command.run(["report", store, "--format", "csv"])
            #expect(Table(report.output).column("name") == ["it@127.0.0.9"])
        }
    }

    /// A script that creates two interfaces, which lead to one resolver. The networks have addresses for
    /// documentation (RFC 5737). The other ends of the interfaces are in a second namespace, so no packet
    /// leaves this machine.
    private static let uplinks = """
        set -e
        ip link set lo up
        unshare --net sleep 60 &
        far=$!
        while [ "$(readlink /proc/$far/ns/net)" = "$(readlink /proc/$$/ns/net)" ]; do :; done
        inside() { nsenter --net=/proc/$far/ns/net "$@"; }
        number=1
        for net in 192.0.2 198.51.100; do
            ip link add up$number type veth peer name far$number
            ip link set far$number netns $far
            ip address add $net.1/24 dev up$number
            ip link set up$number up
            inside ip address add $net.254/24 dev far$number
            inside ip link set far$number up
            ip route add 203.0.113.0/24 via $net.254 dev up$number metric $number
            number=$((number + 1))
        done
        inside ip link set lo up
        inside ip address add 203.0.113.53/32 dev lo
        inside dnsmasq --conf-file=/dev/null --user= --no-resolv --no-hosts --port=53 \\
            --address=/example.org/192.0.2.7 --pid-file="$1/pid" --bind-interfaces \\
            --listen-address=203.0.113.53 --log-queries --log-facility="$1/log"
        shift
        exec "$@"
        """

    private static func inNamespace(
        _ command: [String],
        environment: [String: String] = [:]
    ) async throws -> CommandOutput {
        try await Program("unshare", package: "util-linux").run(
            ["--net", "--mount-proc", "--pid", "--fork", "--kill-child"] + command,
            environment: environment.merging(["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]) { $1 }
        )
    }

    /// Whether this machine allows the tests to create virtual interfaces in a network of their own.
    static var isPermitted: Bool {
        get async {
            let command = ["ip", "link", "add", "up1", "type", "veth", "peer", "name", "far1"]
            return (try? await inNamespace(command).code) == 0
        }
    }

    @Test(.enabled("needs network namespaces with veth") { await isPermitted })
    func `two uplinks are compared by their interfaces`() async throws {
        let folder = TemporaryFolder()
        let run = try await Self.inNamespace(
            ["sh", "-c", Self.uplinks, "sh", folder.path, Program.dnstempo().path, "compare"]
                + ["it=203.0.113.53", "--source", "up1", "--source", "up2"] + Self.short
                + ["--i-run-these-resolvers"],
            environment: Binary.environment(home: folder.path).merging([
                "DNSTEMPO_ALLOW_NET": "203.0.113.0/24"
            ]) { $1 }
        )
        #expect(run.code == 0, "\(run.errors)")
        let report = try JSON(run.output)
        for label in ["it@up1", "it@up2"] {
            #expect(try report.resolver(label)["answered"] as? Int == 2)
        }
        let log = try String(contentsOfFile: folder.file("log"), encoding: .utf8)
        for address in ["192.0.2.1", "198.51.100.1"] {
            #expect(log.split(separator: "\n").count { $0.hasSuffix("from \(address)") } == 2)
        }
    }

    @Test(arguments: try BadInput.cases("sources"))
    func `an unusable source is rejected`(input: BadInput) async throws {
        try await input.check()
    }
}
