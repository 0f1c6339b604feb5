import ArgumentParser
import Catalogue
import Failures
import Files
import Processes
import Samples
import Signatures

extension ResolversCommand {
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add the resolvers of a published list to your configuration.",
            discussion: """
                Examples:
                  dnstempo resolvers import dnscrypt public-resolvers.md
                  dnstempo resolvers import dnscrypt list.md --key RWQ… --into config.toml
                """,
            subcommands: [DNSCrypt.self]
        )
    }

    struct DNSCrypt: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "dnscrypt",
            abstract: "Import a list of the DNSCrypt project, such as public-resolvers.md.",
            discussion: """
                Reads the list and its signature from files; nothing is sent. Imports resolvers \
                over DoH, DoT, DoQ and plain DNS. Skips resolvers that need DNSCrypt or a relay, \
                and names that the catalogue or your configuration has. Replaces an earlier import \
                of the same list.

                The file must have the name under which it was signed. A list that was signed \
                before the imported one is rejected.

                Examples:
                  dnstempo resolvers import dnscrypt public-resolvers.md
                  dnstempo resolvers import dnscrypt list.md --key RWQ… --into config.toml
                """
        )

        @Argument(
            help: "The list.".naming("file"),
            completion: .file(extensions: ["md"])
        )
        var file: String

        @Option(
            help: "Signature of the list. (default: the list's name and .minisig)".naming("file"),
            completion: .file(extensions: ["minisig"])
        )
        var signature: String?

        @Option(
            help: """
                Minisign public key that signed the list. (default: the DNSCrypt project's)
                """
        )
        var key: String?

        @Option(
            help: "Configuration to write. (default: yours)".naming("file"),
            completion: .file(extensions: ["toml"])
        )
        var into: String?

        @Flag(help: "Replace a list that was signed later.")
        var allowOlder = false

        func run() async throws {
            let path = try destination()
            let content = try InputFile.bytes(file)
            let signature = try verifiedSignature(of: content)
            try checkName(of: signature)
            let result = try ResolverImport(
                of: PublicResolverList(parsing: content, name: file),
                from: signature.origin,
                allowsOlder: allowOlder,
                into: path
            )
            let name = EscapedText.terminal(file)
            guard result.imported > 0 else {
                throw Failure(
                    .badData,
                    "'\(name)' has no resolver to import: \(result.skippedText)"
                )
            }
            if result.isChanged {
                if into == nil { try Folder.create(ofFile: path) }
                try OutputFiles.write([(path, Array(result.text.utf8))])
            }
            let count = result.imported.counted("resolver")
            let place = "'\(EscapedText.terminal(path))'"
            let skipped = result.skipped.isEmpty ? "" : ", \(result.skippedText)"
            try Terminal.output.write(
                result.isChanged
                    ? "\(count) imported into \(place)\(skipped).\n"
                    : "\(count) unchanged in \(place)\(skipped).\n"
            )
        }

        /// The key in the lists themselves and in the configuration of dnscrypt-proxy.
        private static let keyOfProject = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3"

        private func destination() throws -> String {
            guard into != OutputFiles.standardOutput else {
                throw Failure.usage("--into: '-' names no file; write a path")
            }
            let variables = Environment.variables("XDG_CONFIG_HOME", "HOME")
            guard let path = into ?? UserConfiguration.path(environment: variables) else {
                throw Failure.usage("HOME is not set to an absolute path; set it, or give --into")
            }
            return path
        }

        /// Rejects a list that was signed under another file name. Each list is signed separately with the
        /// same key.
        private func checkName(of signature: MinisignSignature) throws(Failure) {
            let own = file.split(separator: "/").last.map(String.init)
            guard let signed = signature.fileName, signed != own else { return }
            let shown = EscapedText.terminal(signed)
            throw Failure(
                .badData,
                "'\(EscapedText.terminal(file))' was signed as another file, '\(shown)'; get the list"
                    + " again, or rename it if you want '\(shown)'"
            )
        }

        private func verifiedSignature(of content: [UInt8]) throws -> MinisignSignature {
            let name = EscapedText.terminal(file)
            let path = signature ?? file + ".minisig"
            let shown = EscapedText.terminal(path)
            do {
                let key = try MinisignKey(parsing: key ?? Self.keyOfProject)
                guard !AbsolutePath.isMissing(path) else {
                    throw Failure(
                        .noInput,
                        "there is no signature '\(shown)'; get it from where '\(name)' is from, or"
                            + " name it with --signature"
                    )
                }
                let signature = try MinisignSignature(parsing: InputFile.bytes(path))
                try signature.verify(content, by: key)
                return signature
            } catch let error as SignatureError {
                switch error.kind {
                case .key: throw Failure.usage("--key: \(error)")
                case .shape: throw Failure(.badData, "'\(shown)': \(error)")
                case .foreign, .altered: throw Failure(.badData, "'\(name)': \(error)")
                }
            }
        }
    }
}

extension MinisignSignature {
    fileprivate var origin: ResolverImport.Origin {
        let name = fileName.flatMap { Resolver.isLabel($0) ? $0 : nil }
        // Nanoseconds are valid until the year 2262.
        let nanoseconds = timestamp.flatMap { second -> Int64? in
            let (product, overflow) = second.multipliedReportingOverflow(by: 1_000_000_000)
            return second < 0 || overflow ? nil : product
        }
        let time = nanoseconds.map { moment in
            "\(Timestamp(nanoseconds: moment))".prefix { $0 != "." } + "Z"
        }
        return ResolverImport.Origin(label: name ?? "a list", time: time.map(String.init))
    }
}

extension ResolverImport {
    /// Text such as `12 skipped: 9 need DNSCrypt, 3 are in the catalogue`.
    fileprivate var skippedText: String {
        let parts = Skip.allCases.compactMap { reason in
            skipped[reason].map { "\($0) \(reason.words(isOne: $0 == 1))" }
        }
        return "\(skipped.values.reduce(0, +)) skipped: \(parts.joined(separator: ", "))"
    }
}

extension ResolverImport.Skip {
    fileprivate func words(isOne: Bool) -> String {
        let have = isOne ? "has" : "have"
        return switch self {
        case .dnscrypt: isOne ? "needs DNSCrypt" : "need DNSCrypt"
        case .relayed: isOne ? "needs a relay or is one" : "need a relay or are one"
        case .tor: isOne ? "needs Tor" : "need Tor"
        case .specialUse: "\(have) a host name that no public resolver knows"
        case .known: "\(have) a name that the catalogue has"
        case .own: "\(have) a name that the file has"
        case .port: "\(have) a port of \(isOne ? "its" : "their") own"
        case .unusable: "cannot be used"
        }
    }
}
