import ArgumentParser
import Catalogue
import Reports
import Samples
import Signatures

extension ResolversCommand {
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add the resolvers of a published list to your configuration.",
            subcommands: [DNSCrypt.self]
        )
    }

    struct DNSCrypt: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "dnscrypt",
            abstract: "Import a list of the DNSCrypt project, such as public-resolvers.md.",
            discussion: """
                The list is a file, and so is its signature: nothing is sent. Resolvers over DoH, \
                DoT, DoQ and plain DNS are imported; those that need DNSCrypt or a relay are \
                skipped, and those whose name the catalogue or your configuration has. What was \
                imported before from the same list is replaced.

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
            help: "Its signature. (default: the list's name and .minisig)".naming("file"),
            completion: .file(extensions: ["minisig"])
        )
        var signature: String?

        @Option(
            help: """
                Public key of minisign that has to have signed it. (default: the DNSCrypt project's)
                """
        )
        var key: String?

        @Option(
            help: "Configuration to write. (default: yours)".naming("file"),
            completion: .file(extensions: ["toml"])
        )
        var into: String?

        func run() async throws {
            let path = try destination()
            let content = try InputFile.bytes(file)
            let signature = try verifiedSignature(of: content)
            let result = try ResolverImport(
                of: PublicResolverList(parsing: content, name: file),
                label: signature.label,
                day: signature.day,
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

        /// As the lists themselves and the configuration of dnscrypt-proxy name it.
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
    /// The name of the signed file, as far as it can stand in a comment.
    fileprivate var label: String {
        guard let fileName, Resolver.isLabel(fileName) else { return "a list" }
        return fileName
    }

    /// The day on which it was made (UTC).
    fileprivate var day: CalendarDay? {
        // Up to the year 9999.
        guard let timestamp, (0..<253_402_300_800).contains(timestamp) else { return nil }
        return try? CalendarDay(
            parsing: CivilDate(daysSinceEpoch: Int(timestamp / 86_400)).description
        )
    }
}

extension ResolverImport {
    /// Such as `12 skipped: 9 need DNSCrypt, 3 are in the catalogue`.
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
        case .known: "\(have) a name that the catalogue has"
        case .own: "\(have) a name that the file has"
        case .port: "\(have) a port of \(isOne ? "its" : "their") own"
        case .unusable: "cannot be used"
        }
    }
}
