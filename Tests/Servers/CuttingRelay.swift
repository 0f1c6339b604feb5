/// A relay to a server on this machine that cuts each connection later than the one before, once so
/// many octets more came back.
package struct CuttingRelay: ServerProgram {
    package static let command = "python3"
    package static let package = "python3"

    package let address = "127.0.0.1"
    package let sign = ReadinessSign.accepts
    let target: UInt16
    let step: Int

    package init(to target: UInt16, step: Int) {
        self.target = target
        self.step = step
    }

    package func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        let text = String(decoding: PackageResources.cutting_relay_py, as: UTF8.self)
        let script = try folder.write(text, to: "cutting-relay.py")
        return [script, "\(ports[0])", "\(target)", "\(step)"]
    }
}
