/// A receiver of Prometheus remote writes whose modes decide its answers.
package struct WriteReceiver: ServerProgram {
    package enum Mode: String, Sendable {
        case takes = "204"
        case refuses = "400"
        case forbids = "403"
        case lacks = "404"
        /// Rejects the request as too large.
        case limits = "413"
        case fails = "500"
        /// Accepts a request with one round, and rejects a request with several rounds.
        case alone
        /// Redirects the request.
        case elsewhere
        /// Answers with an error and a text of 1 MB.
        case endless
    }

    package let sign = ReadinessSign.accepts
    /// The modes of successive requests. The last mode applies to all later requests.
    let modes: [Mode]
    let certificate: Certificate?
    /// The path of the log file, which gets a line of JSON for each request.
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
