import ArgumentParser
import Catalogue
import Failures
import Files
import RemoteWrite
import Runs

struct RemoteWriteOptions: ParsableArguments {
    @Option(
        help: """
            Write rounds to this Prometheus remote-write receiver too; while it cannot be reached \
            they wait in the store.
            """.naming("url")
    )
    var remoteWrite: String?

    @OptionGroup var token: ReceiverTokenOption

    /// The remote-write destination. `nil` if none is requested. Throws if the receiver, or the lookup of its
    /// name, is outside the allowed networks.
    func writing(within allowed: AllowedNetworks) throws -> RemoteWriting? {
        guard let remoteWrite else {
            try Failure.refuse([
                "--remote-write-token needs --remote-write: add --remote-write URL":
                    token.remoteWriteToken != nil
            ])
            return nil
        }
        return RemoteWriting(try token.receiver(remoteWrite, within: allowed))
    }
}

struct ReceiverTokenOption: ParsableArguments {
    @Option(
        help: "File whose first line is the receiver's bearer token.".naming("file"),
        completion: .file()
    )
    var remoteWriteToken: String?

    /// The receiver at a URL, which must be within the allowed networks as far as the URL shows.
    func receiver(_ url: String, within allowed: AllowedNetworks) throws -> Receiver {
        let address = try WebAddress(ofReceiver: url)
        try ReceiverConnection.checkLibraries()
        let token = try remoteWriteToken.map { path in
            try InputFile.token(path, form: "one of visible characters, without spaces") {
                Receiver.isToken($0) ? $0 : nil
            }
        }
        let receiver = Receiver(
            address,
            token: token,
            kind: "remote-write receiver",
            option: "--remote-write-token",
            within: allowed
        )
        try receiver.check()
        return receiver
    }
}
