/// A receiver of Prometheus' remote writes that answers as told.
package struct WriteReceiver: ServerProgram {
    package enum Mode: String, Sendable {
        case takes = "204"
        case refuses = "400"
        case forbids = "403"
        case lacks = "404"
        /// Takes no request of this size.
        case limits = "413"
        case fails = "500"
        /// Takes a round that comes alone, and refuses requests of several.
        case alone
        /// Redirects.
        case elsewhere
        /// Fails, and goes on about it.
        case endless
    }

    package let sign = ReadinessSign.accepts
    /// For one request after the other; the last for all others.
    let modes: [Mode]
    let certificate: Certificate?
    /// Gets a line of JSON for each request.
    let log: String

    package init(_ modes: [Mode], _ certificate: Certificate? = nil, log: String) {
        self.modes = modes
        self.certificate = certificate
        self.log = log
    }

    package func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        let script = try folder.write(PackageResources.write_receiver_py, to: "write-receiver.py")
        let words = modes.map(\.rawValue).joined(separator: ",")
        return [script, "\(ports[0])", log, words]
            + (certificate.map { [$0.file, $0.key] } ?? [])
    }
}
