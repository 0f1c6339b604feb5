import Foundation
import Servers
import Testing

/// A network without other machines. All packets stay inside the network.
struct LoneNetwork {
    /// Loopback addresses, and addresses for documentation (RFC 5737). Even without the isolation, queries to
    /// these addresses reach no other machine.
    private static let allowed = "127.0.0.0/8,192.0.2.0/24,198.51.100.0/24,203.0.113.0/24"

    /// Whether this machine allows the tests to create such a network.
    static var isPermitted: Bool {
        get async { (try? await run(["true"], addresses: ["192.0.2.1"]).code) == 0 }
    }

    /// Runs `dnstempo` next to dnsmasq at port 53 of `servers`. dnsmasq knows only names under example.com,
    /// unless `options` add others. `nameserver` is the nameserver in the system's configuration.
    static func dnstempo(
        _ arguments: [String],
        servers: [String],
        others: [String] = [],
        nameserver: String? = nil,
        configuration: String = "",
        options: [String] = []
    ) async throws -> CommandOutput {
        let folder = TemporaryFolder()
        var script: [String] = []
        if let nameserver {
            let file = try folder.write("nameserver \(nameserver)\n", to: "resolv.conf")
            script.append("mount --bind \(file) /etc/resolv.conf")
        }
        let empty = try folder.write("", to: "dnsmasq.conf")
        // As soon as dnsmasq listens, it continues in the background.
        script.append(
            "\(try Program("dnsmasq", package: "dnsmasq-base").path) --conf-file=\(empty) --user= "
                + "--no-resolv --no-hosts --port=53 --address=/example.com/192.0.2.7 "
                + "--pid-file=\(folder.file("pid")) --bind-interfaces --listen-address="
                + ([servers.joined(separator: ",")] + options).joined(separator: " ")
        )
        script.append("exec \"$0\" \"$@\"")
        try folder.write(configuration, to: "config/dnstempo/config.toml")
        return try await run(
            ["sh", "-c", script.joined(separator: "\n"), Program.dnstempo().path] + arguments,
            addresses: servers + others,
            environment: Binary.environment(home: folder.path).merging([
                "DNSTEMPO_ALLOW_NET": allowed, "XDG_CONFIG_HOME": folder.file("config"),
            ]) { $1 }
        )
    }

    /// Runs a command in a network whose loopback interface has `addresses`. When the command ends, all its
    /// child processes end.
    private static func run(
        _ command: [String],
        addresses: [String],
        environment: [String: String] = [:]
    ) async throws -> CommandOutput {
        let ip = try Program("ip", package: "iproute2").path
        let lines =
            ["set -e", "\(ip) link set lo up"]
            + addresses.map { "\(ip) address add \($0)/32 dev lo" } + ["exec \"$@\""]
        return try await Program("unshare", package: "util-linux").run(
            ["--net", "--mount-proc", "--pid", "--fork", "--kill-child"]
                + ["sh", "-c", lines.joined(separator: "\n"), "sh"] + command,
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"].merging(environment) { $1 }
        )
    }
}
