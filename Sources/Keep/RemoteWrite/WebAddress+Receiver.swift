package import Catalogue
package import Failures

extension WebAddress {
    /// Reads the address of a receiver of rounds. `tokenOption` is the option that names a file with a token.
    ///
    /// A URL of OpenTelemetry without a path gets the path of metrics, as the variable
    /// `OTEL_EXPORTER_OTLP_ENDPOINT` does.
    package init(
        of form: RoundProtocol,
        _ text: String,
        tokenOption: String
    ) throws(Failure) {
        func read(_ text: String) throws(Failure) -> WebAddress {
            try WebAddress(
                parsing: text,
                of: form.article + " " + form.receiver,
                example: form.example,
                secrets: "and name a file that has a token with \(tokenOption)"
            )
        }
        self = try read(text)
        guard form == .openTelemetry, path.isEmpty || path == "/" else { return }
        self = try read(url + (path.isEmpty ? "/" : "") + "v1/metrics")
    }
}

extension RoundProtocol {
    fileprivate var article: String { self == .openTelemetry ? "an" : "a" }

    fileprivate var example: String {
        switch self {
        case .remoteWrite: "http://prometheus.example:9090/api/v1/write"
        case .openTelemetry: "http://collector.example:4318"
        }
    }
}
