/// Caddy over HTTP/3 (the implementation of quic-go) in front of a DNS server over unencrypted HTTP/2.
package struct Caddy: ServerProgram {
    package static let command = "caddy"
    package static let package = "caddy"

    package let sign = ReadinessSign.speaksQUIC
    let certificate: Certificate
    /// The address of the server that gives the answers.
    let backend: SocketAddress
    /// The idle timeout of connections over TCP, such as `2s`.
    let idleTimeout: String

    package init(_ certificate: Certificate, backend: SocketAddress, idleTimeout: String = "5m") {
        self.idleTimeout = idleTimeout
        self.certificate = certificate
        self.backend = backend
    }

    package func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        let config = """
            {
              "admin": {"disabled": true, "config": {"persist": false}},
              "storage": {"module": "file_system", "root": "\(folder.file("storage"))"},
              "apps": {
                "tls": {"certificates": {"load_files": [
                  {"certificate": "\(certificate.file)", "key": "\(certificate.key)"}
                ]}},
                "http": {"servers": {"dns": {
                  "listen": ["\(address):\(ports[0])"],
                  "idle_timeout": "\(idleTimeout)",
                  "automatic_https": {"disable": true},
                  "tls_connection_policies": [{}],
                  "routes": [{"handle": [{
                    "handler": "reverse_proxy",
                    "transport": {"protocol": "http", "versions": ["h2c"]},
                    "upstreams": [{"dial": "\(backend)"}]
                  }]}]
                }}}
              }
            }

            """
        return ["run", "--config", try folder.write(config, to: "caddy.json")]
    }
}
