/// An Alertmanager on loopback, without peers and without receivers.
package struct Alertmanager: ServerProgram {
    package static let command = "prometheus-alertmanager"
    package static let package = "prometheus-alertmanager"

    package let sign = ReadinessSign.accepts

    package init() {}

    package func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        let settings = "route: {receiver: none}\nreceivers: [{name: none}]\n"
        return [
            "--config.file", try folder.write(settings, to: "alertmanager.yml"),
            "--storage.path", folder.file("data"),
            "--web.listen-address", "127.0.0.1:\(ports[0])",
            "--cluster.listen-address=",
        ]
    }
}
