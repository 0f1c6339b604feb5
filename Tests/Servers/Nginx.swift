/// nginx over HTTPS in front of a server of DNS over HTTP. It accepts early data (RFC 8446 §2.3).
package struct Nginx: ServerProgram {
    package static let command = "nginx"
    package static let package = "nginx"

    package let sign = ReadinessSign.accepts
    let certificate: Certificate
    /// The address of the server that gives the answers over HTTP/1.1.
    let backend: SocketAddress
    /// The path of the log file. Each request adds a line: `early`, `resumed` or `new`, and the status.
    let log: String
    /// Whether nginx rejects early data with status 425, so that the client sends it again (RFC 8470 §5.2).
    let refusesEarly: Bool
    /// Whether nginx supports HTTP/2 in addition to HTTP/1.1.
    let hasHTTP2: Bool
    /// Additional lines of the `server` section.
    let settings: [String]

    package init(
        _ certificate: Certificate,
        backend: SocketAddress,
        log: String,
        refusesEarly: Bool = false,
        hasHTTP2: Bool = true,
        settings: [String] = []
    ) {
        self.certificate = certificate
        self.backend = backend
        self.log = log
        self.refusesEarly = refusesEarly
        self.hasHTTP2 = hasHTTP2
        self.settings = settings
    }

    package func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder.file($0));" }.joined(separator: " ")
        let config = """
            daemon off;
            master_process off;
            pid \(folder.file("nginx.pid"));
            error_log stderr;
            events {}
            http {
              \(folders)
              map $early$ssl_session_reused $use { ~^1 early; ~r resumed; default new; }
              log_format use '$use $status';
              access_log \(log) use;
              server {
                listen \(address):\(ports[0]) ssl\(hasHTTP2 ? " http2" : "");
                ssl_certificate \(certificate.file);
                ssl_certificate_key \(certificate.key);
                ssl_protocols TLSv1.2 TLSv1.3;
                ssl_early_data on;
                \(settings.joined(separator: " "))
                # The handshake is over when the log is written.
                set $early $ssl_early_data;
                location / {
                  \(refusesEarly ? "if ($early) { return 425; }" : "")
                  proxy_pass http://\(backend);
                  proxy_http_version 1.1;
                }
              }
            }

            """
        return [
            "-p", folder.path, "-e", "stderr", "-c", try folder.write(config, to: "nginx.conf"),
        ]
    }
}
