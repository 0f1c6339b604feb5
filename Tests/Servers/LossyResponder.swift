/// A server that loses the first copy of each query over TCP.
package struct LossyResponder: ServerProgram {
    package let sign = ReadinessSign.accepts
    /// The path of the log file. Each query adds a line with the time at which the loss of the first copy was
    /// seen, in nanoseconds since 1970.
    let log: String

    package init(log: String) { self.log = log }

    package func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        let script = try folder.write(PackageResources.lossy_responder_py, to: "lossy-responder.py")
        return [script, "\(ports[0])", log]
    }
}
