/// A server of a load whose connections share a fixed rate.
package struct LoadResponder: ServerProgram {
    package let sign = ReadinessSign.accepts
    /// Bytes per second.
    let rate: Int

    package init(rate: Int) { self.rate = rate }

    package func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        let script = try folder.write(PackageResources.load_responder_py, to: "load-responder.py")
        return [script, "\(ports[0])", "\(rate)"]
    }
}
