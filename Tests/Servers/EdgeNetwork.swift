/// A network of its own in which every name has an address near or far away, as the resolver has it
/// that is asked: `home` and `same` say 5 ms, `lure` says 35 ms.
package struct EdgeNetwork: Sendable {
    package static let home = "home=127.0.0.1:5301"
    package static let lure = "lure=127.0.0.1:5302"
    package static let same = "same=127.0.0.1:5303"

    /// How long each takes to answer, in milliseconds.
    let home: Int
    let lure: Int
    let same: Int

    package init(home: Int, lure: Int, same: Int) {
        (self.home, self.lure, self.same) = (home, lure, same)
    }

    /// Whether this machine lets the tests make one.
    package static var isPermitted: Bool {
        get async {
            let network = EdgeNetwork(home: 0, lure: 0, same: 0)
            return (try? await network.run(Program("true", package: "coreutils"), []).code) == 0
        }
    }

    /// Runs a program in it, to its end.
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
