/// A server to which the first copy of each query over TCP is lost on the way.
package struct LossyResponder: ServerProgram {
    package let sign = ReadinessSign.accepts
    /// Gets a line for each query: when its first copy was gone, in nanoseconds since 1970.
    let log: String

    package init(log: String) { self.log = log }

    package func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        let script = try folder.write(PackageResources.lossy_responder_py, to: "lossy-responder.py")
        return [script, "\(ports[0])", log]
    }
}
