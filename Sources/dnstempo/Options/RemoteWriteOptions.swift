import ArgumentParser
import Catalogue
import Failures
import Files
import RemoteWrite
import Runs

/// Options for receivers of stored rounds.
struct RemoteWriteOptions: ParsableArguments {
    @Option(
        help: """
            Write rounds to this Prometheus remote-write receiver too; while it cannot be reached \
            they wait in the store.
            """.naming("url")
    )
    var remoteWrite: String?

    @OptionGroup var token: RemoteWriteTokenOption

    @Option(
        help: """
            Send rounds to this OpenTelemetry receiver too, as metrics (OTLP over HTTP); they wait \
            in the same way.
            """.naming("url")
    )
    var otlp: String?

    @Option(
        help: "File whose first line is that receiver's bearer token.".naming("file"),
        completion: .file()
    )
    var otlpToken: String?

    /// The requested destinations. Throws if a receiver, or the look-up of its name, is outside the allowed
    /// networks.
    func writing(within allowed: AllowedNetworks) throws -> [RemoteWriting] {
        try Failure.refuse([
            "--remote-write-token needs --remote-write: add --remote-write URL":
                remoteWrite == nil && token.remoteWriteToken != nil,
            "--otlp-token needs --otlp: add --otlp URL": otlp == nil && otlpToken != nil,
        ])
        return [
            try remoteWrite.map {
                RemoteWriting(.remoteWrite, to: try token.receiver($0, within: allowed))
            },
            try otlp.map { url in
                RemoteWriting(
                    .openTelemetry,
                    to: try Receiver(
                        .openTelemetry,
                        url,
                        tokenFile: otlpToken,
                        option: "--otlp-token",
                        within: allowed
                    )
                )
            },
        ].compactMap(\.self)
    }
}

struct RemoteWriteTokenOption: ParsableArguments {
    @Option(
        help: "File whose first line is the receiver's bearer token.".naming("file"),
        completion: .file()
    )
    var remoteWriteToken: String?

    /// The receiver at a URL, which must be within the allowed networks as far as the URL shows.
    func receiver(_ url: String, within allowed: AllowedNetworks) throws -> Receiver {
        try Receiver(
            .remoteWrite,
            url,
            tokenFile: remoteWriteToken,
            option: "--remote-write-token",
            within: allowed
        )
    }
}

extension Receiver {
    /// Reads the URL of a receiver of rounds, and its token from a file that `option` names. The receiver must
    /// be within the allowed networks as far as the URL shows.
    fileprivate init(
        _ form: RoundProtocol,
        _ url: String,
        tokenFile: String?,
        option: String,
        within allowed: AllowedNetworks
    ) throws {
        let address = try WebAddress(of: form, url, tokenOption: option)
        try ReceiverConnection.checkLibraries(for: form)
        let token = try tokenFile.map { path in
            try InputFile.token(path, form: "one of visible characters, without spaces") {
                Receiver.isToken($0) ? $0 : nil
            }
        }
        self.init(address, token: token, kind: form.receiver, option: option, within: allowed)
        try check()
    }
}
