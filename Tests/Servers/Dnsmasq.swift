/// dnsmasq with fixed addresses and no upstream.
package struct Dnsmasq: ServerProgram {
    package static let command = "dnsmasq"
    package static let package = "dnsmasq-base"

    package var address: String
    /// The address of each domain and all names below it.
    package var domains: [String: String]
    /// Additional arguments, such as `--server=127.0.0.1#5300`.
    package var arguments: [String]

    package func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        let file = try folder.write("", to: "dnsmasq.conf")
        return [
            "--keep-in-foreground", "--conf-file=\(file)", "--no-resolv", "--no-hosts",
            "--log-facility=-", "--pid-file=", "--user=", "--group=",
            "--port=\(ports[0])", "--listen-address=\(address)", "--bind-interfaces",
        ] + domains.sorted { $0.key < $1.key }.map { "--address=/\($0.key)/\($0.value)" }
            + arguments
    }
}

extension ServerProgram where Self == Dnsmasq {
    /// dnsmasq that answers queries for each domain, and for all names below it, with one address.
    package static func dnsmasq(
        domains: [String: String] = ["example.com": "192.0.2.7"],
        arguments: [String] = [],
        address: String = "127.0.0.1"
    ) -> Dnsmasq {
        Dnsmasq(address: address, domains: domains, arguments: arguments)
    }
}
