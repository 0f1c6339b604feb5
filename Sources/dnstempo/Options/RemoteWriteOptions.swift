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
        let server = NamedServer(
            kind: "remote-write receiver",
            host: address.host,
            place: address.place,
            allowed: allowed
        )
        try server.check(advice: "write its address into the URL")
        let token = try remoteWriteToken.map { path in
            try InputFile.token(path, form: "one of visible characters, without spaces") {
                line -> String? in
                // The syntax of a token in an HTTP field (RFC 9110, §11.2).
                let isToken =
                    (1...4096).contains(line.utf8.count)
                    && line.utf8.allSatisfy { (0x21...0x7e).contains($0) }
                return isToken ? line : nil
            }
        }
        let receiver = Receiver(address, token: token, server)
        if let literal = IPAddress(address.host) { try receiver.checkToken(at: literal) }
        return receiver
    }
}
