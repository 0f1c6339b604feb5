import Failures
import Protobuf
import Samples

/// How a receiver expects rounds.
package enum RoundProtocol: Sendable {
    /// Remote writes of Prometheus (Remote-Write 1.0).
    case remoteWrite
    /// Metrics of OpenTelemetry (OTLP 1.3, binary Protobuf over HTTP).
    case openTelemetry

    /// What a receiver of this protocol is called in messages.
    package var receiver: String {
        switch self {
        case .remoteWrite: "remote-write receiver"
        case .openTelemetry: "OpenTelemetry receiver"
        }
    }

    /// What needs the libraries, in messages.
    var use: String {
        switch self {
        case .remoteWrite: "a remote write"
        case .openTelemetry: "--otlp"
        }
    }

    /// The fields of each request that describe its body.
    var fields: [String] {
        switch self {
        case .remoteWrite:
            [
                "Content-Encoding: snappy", "Content-Type: application/x-protobuf",
                "X-Prometheus-Remote-Write-Version: 0.1.0",
            ]
        case .openTelemetry: ["Content-Type: application/x-protobuf"]
        }
    }

    /// Prepares the rounds of a recording. The result encodes the rounds with these indices as the body of
    /// one request. `version` is this program's version.
    func encoder(
        of recording: Recording,
        version: String
    ) -> (ArraySlice<Int>) throws(Failure) -> [UInt8] {
        switch self {
        case .remoteWrite:
            let figures = RoundFigures.all(of: recording)
            return { (rounds) throws(Failure) in
                try WriteRequest(rounds.map { figures[$0] }).encoded.bytes.snappyBlock()
            }
        case .openTelemetry:
            let figures = LookupFigures.all(of: recording)
            return { (rounds) throws(Failure) in
                MetricsExport(rounds.map { figures[$0] }, of: recording, version: version)
                    .encoded.bytes
            }
        }
    }
}
