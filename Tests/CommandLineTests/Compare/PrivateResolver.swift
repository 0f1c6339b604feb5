import Servers

/// The C library's resolver with a private resolv.conf, in its own mount namespace (unshare(1)).
enum PrivateResolver {
    /// Whether this system and user allow a private resolver and servers at port 53.
    static func isPossible() async -> Bool {
        guard
            let address = try? await withResponder(
                address: freeAddress(),
                port: 53,
                script: { _ in [] },
                { $0.endpoint.address }
            )
        else { return false }
        let folder = TemporaryFolder()
        let run = try? await getent("localhost.", lines: ["nameserver \(address)"], in: folder)
        return run.map { $0.code == 0 || $0.code == 2 } ?? false
    }

    /// An address of 127.0.0.0/8 that is probably unused.
    static func freeAddress() -> String {
        "127.\(Int.random(in: 64...191)).\(Int.random(in: 0...255)).\(Int.random(in: 1...254))"
    }

    /// The IPv4 addresses of `name`. The exit code is 2 if the look-up fails.
    static func getent(
        _ name: String,
        lines: [String],
        in folder: TemporaryFolder
    ) async throws -> CommandOutput {
        let servers = try folder.write(lines.map { $0 + "\n" }.joined(), to: "resolv.conf")
        let services = try folder.write("hosts: dns\n", to: "nsswitch.conf")
        let script = """
            mount --bind "$1" /etc/resolv.conf && mount --bind "$2" /etc/nsswitch.conf || exit 70
            exec getent ahostsv4 "$3"
            """
        return try await Program("unshare", package: "util-linux").run(
            ["--mount", "sh", "-c", script, "sh", servers, services, name],
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
        )
    }
}
