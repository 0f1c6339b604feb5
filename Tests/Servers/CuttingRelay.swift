/// A relay to a server on this machine. It cuts its first connection after `step` returned bytes, its second
/// connection after twice as many bytes, and so on.
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
