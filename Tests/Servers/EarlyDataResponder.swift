/// A DNS over TLS server that takes queries with the beginning of a handshake; every answer is
/// 192.0.2.1.
package struct EarlyDataResponder: ServerProgram {
    let certificate: Certificate
    /// The number of servers, one per connection; each lacks the session tickets of the others.
    let servers: Int
    /// Gets a line for each query: `early` or `query`.
    let log: String

    /// With `isForgetful` the first connection's ticket is worth nothing to the second.
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
