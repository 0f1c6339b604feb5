/// Caddy over HTTP/3 (quic-go's) before a server of DNS over HTTP/2 without encryption.
package struct Caddy: ServerProgram {
    package static let command = "caddy"
    package static let package = "caddy"

    package let sign = ReadinessSign.speaksQUIC
    let certificate: Certificate
    /// Where the answers come from.
    let backend: SocketAddress

    package init(_ certificate: Certificate, backend: SocketAddress) {
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
