/// A relay to a server on this machine that cuts each connection later than the one before, once so
/// many bytes more came back.
package struct CuttingRelay: ServerProgram {
    package let sign = ReadinessSign.accepts
    let target: UInt16
    let step: Int

    package init(to target: UInt16, step: Int) {
        self.target = target
        self.step = step
    }

    package func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        let script = try folder.write(PackageResources.cutting_relay_py, to: "cutting-relay.py")
        return [script, "\(ports[0])", "\(target)", "\(step)"]
    }
}
