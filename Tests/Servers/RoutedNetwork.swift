/// A network of its own with two routers on the way to two resolvers, over IPv4 and IPv6.
package struct RoutedNetwork: Sendable {
    /// The resolver that answers nothing while there is a file ``silence`` in the folder.
    package static let far = (v4: "203.0.113.53", v6: "2001:db8:3::53")
    package static let other = (v4: "203.0.113.54", v6: "2001:db8:3::54")
    /// The first router and the second, as the way there has them.
    package static let routers = (
        v4: ["192.0.2.1", "198.51.100.2"], v6: ["2001:db8:1::1", "2001:db8:2::2"]
    )
    package static let silence = "silent"
    /// All of it, for `DNSTEMPO_ALLOW_NET`.
    package static let allowed =
        "127.0.0.0/8,192.0.2.0/24,198.51.100.0/24,203.0.113.0/24,2001:db8::/32"

    /// Whether the second router drops packets without an ICMP error.
    let hasSilentRouter: Bool

    package init(hasSilentRouter: Bool = false) { self.hasSilentRouter = hasSilentRouter }

    /// Whether this machine lets the tests make one.
    package static var isPermitted: Bool {
        get async {
            let folder = TemporaryFolder()
            guard let program = try? Program("true", package: "coreutils") else { return false }
            return (try? await RoutedNetwork().run(program, [], in: folder.path).code) == 0
        }
    }

    /// Runs a program in it, to its end; `place` is the folder of the resolvers too.
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
