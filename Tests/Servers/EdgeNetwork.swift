/// A separate network in which each resolver returns a near or a distant address for every name. The address
/// of `home` and `same` is 5 ms away, the address of `lure` 35 ms.
package struct EdgeNetwork: Sendable {
    package static let home = "home=127.0.0.1:5301"
    package static let lure = "lure=127.0.0.1:5302"
    package static let same = "same=127.0.0.1:5303"

    /// The delay of each resolver's answers, in milliseconds.
    let home: Int
    let lure: Int
    let same: Int

    package init(home: Int, lure: Int, same: Int) {
        (self.home, self.lure, self.same) = (home, lure, same)
    }

    /// Whether the tests can create the network on this machine.
    package static var isPermitted: Bool {
        get async {
            let network = EdgeNetwork(home: 0, lure: 0, same: 0)
            return (try? await network.run(Program("true", package: "coreutils"), []).code) == 0
        }
    }

    /// Runs a program in the network and waits for its end.
    package func run(
        _ program: Program,
        _ arguments: [String],
        environment: [String: String] = [:],
        in place: String? = nil
    ) async throws -> CommandOutput {
        let folder = TemporaryFolder()
        let script = try folder.write(PackageResources.edge_network_py, to: "edge-network.py")
        let python = try Program("/usr/bin/python3", package: "python3").path
        let delays = [lure, same, home].map { "\($0)" }
        return try await Program("unshare", package: "util-linux").run(
            ["--net", "--mount-proc", "--pid", "--fork", "--kill-child", python, script] + delays
                + [program.path] + arguments,
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"].merging(environment) { $1 },
            in: place
        )
    }
}
