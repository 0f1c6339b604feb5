/// A receiver of OpenTelemetry whose modes decide its answers.
package struct MetricsReceiver: ServerProgram {
    package static let command = Program.testPython

    package enum Mode: String, Sendable {
        case takes
        /// Accepts the request, but rejects three of its data points.
        case partial
        case refuses = "400"
        case forbids = "403"
        case limits = "413"
        case isBusy = "503"
        /// Rejects the request with a text that is no message.
        case garbage
    }

    package let sign = ReadinessSign.accepts
    /// The modes of successive requests. The last mode applies to all later requests.
    let modes: [Mode]
    /// The path of the log file, which gets a line of JSON for each request.
    let log: String

    package init(_ modes: [Mode], log: String) { (self.modes, self.log) = (modes, log) }

    package func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        let script = try folder.write(
            PackageResources.metrics_receiver_py,
            to: "metrics-receiver.py"
        )
        return [script, "\(ports[0])", log, modes.map(\.rawValue).joined(separator: ",")]
    }
}
