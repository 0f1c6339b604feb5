/// A DNS over TLS server that accepts queries in early data (RFC 8446 §2.3). Every answer is 192.0.2.1.
package struct EarlyDataResponder: ServerProgram {
    let certificate: Certificate
    /// The number of servers. Each of the first connections has its own server, and later connections use the
    /// last server. Each server lacks the session tickets of the others.
    let servers: Int
    /// The path of the log file, which gets a line for each query: `early` or `query`.
    let log: String

    /// With `isForgetful`, the server of the second connection does not know the first connection's ticket.
    package init(isForgetful: Bool = false, _ certificate: Certificate, log: String) {
        servers = isForgetful ? 2 : 1
        self.certificate = certificate
        self.log = log
    }

    package func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        let script = try folder.write(
            PackageResources.early_data_responder_py,
            to: "early-data-responder.py"
        )
        try TLSResponder.writeStream(to: folder)
        return [script, "\(ports[0])", certificate.file, certificate.key, "\(servers)", log]
    }
}
