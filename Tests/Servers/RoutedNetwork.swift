/// A separate network with two routers on the path to two resolvers, over IPv4 and IPv6.
package struct RoutedNetwork: Sendable {
    /// The resolver that answers no queries while the folder contains a file ``silence``.
    package static let far = (v4: "203.0.113.53", v6: "2001:db8:3::53")
    package static let other = (v4: "203.0.113.54", v6: "2001:db8:3::54")
    /// The addresses of the first and the second router on the path.
    package static let routers = (
        v4: ["192.0.2.1", "198.51.100.2"], v6: ["2001:db8:1::1", "2001:db8:2::2"]
    )
    package static let silence = "silent"
    /// All networks in use, as the value of `DNSTEMPO_ALLOW_NET`.
    package static let allowed =
        "127.0.0.0/8,192.0.2.0/24,198.51.100.0/24,203.0.113.0/24,2001:db8::/32"

    /// Whether the second router drops packets without an ICMP error.
    let hasSilentRouter: Bool

    package init(hasSilentRouter: Bool = false) { self.hasSilentRouter = hasSilentRouter }

    /// Whether the tests can create the network on this machine.
    package static var isPermitted: Bool {
        get async {
            let folder = TemporaryFolder()
            guard let program = try? Program("true", package: "coreutils") else { return false }
            return (try? await RoutedNetwork().run(program, [], in: folder.path).code) == 0
        }
    }

    /// Runs a program in the network and waits for its end. `place` is the working folder of the program and
    /// of the resolvers.
    package func run(
        _ program: Program,
        _ arguments: [String],
        environment: [String: String] = [:],
        in place: String
    ) async throws -> CommandOutput {
        let folder = TemporaryFolder()
        let script = try folder.write(PackageResources.routed_network_py, to: "routed-network.py")
        let python = try Program("/usr/bin/python3", package: "python3").path
        return try await Program("unshare", package: "util-linux").run(
            ["--net", "--mount-proc", "--pid", "--fork", "--kill-child", python, script]
                + [hasSilentRouter ? "1" : "0", program.path] + arguments,
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"].merging(environment) { $1 },
            in: place
        )
    }
}
