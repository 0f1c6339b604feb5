import ArgumentParser
import Catalogue
import Central
import Failures
import Processes
import Runs
import Samples
import Store

extension StoreCommand {
    struct Init: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "init",
            abstract: "Make a central store in PostgreSQL, or upgrade one to this version.",
            discussion: """
                Run it as the owner of the database, with the right to create roles. Existing data \
                is kept. Server certificates are verified (sslmode=verify-full) unless the URL \
                sets another sslmode. Put a password into ~/.pgpass.

                Examples:
                  dnstempo store init --store postgresql://owner@db.example/dns
                  dnstempo store init --store postgresql://owner@127.0.0.1/dns
                """
        )

        @OptionGroup var central: CentralOption

        func run() async throws {
            let connection = try central.connection()
            let notes = try CentralSchema.make(connection).map { "\(EscapedText.terminal($0))\n" }
            try Terminal.output.write(
                "central store ready at \(EscapedText.terminal(connection.place)): enrol each place "
                    + "with dnstempo store enrol\n" + notes.joined()
            )
        }
    }

    struct Enrol: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Enrol a place at a central store: a source, and a role to ship as.",
            discussion: """
                Run it as the owner of the central store. It prints the line for the place's \
                ~/.pgpass, with a password that is stored nowhere else.

                Examples:
                  dnstempo store enrol berlin --label country=DE \\
                    --store postgresql://owner@db.example/dns
                  dnstempo store enrol paris --store postgresql://owner@db.example/dns
                """
        )

        @Argument(help: "Name of the place.".naming("place"))
        var place: String

        @Option(help: "Fact about the place; repeatable.".naming("key=value"))
        var label: [String] = []

        @Flag(help: "Make a role without a password, for a client certificate.")
        var certificate = false

        @Flag(help: "Enrol the place again, after its store was restored.")
        var again = false

        @OptionGroup var central: CentralOption

        mutating func validate() { JoinedWords.split(&label) }

        func run() async throws {
            try Failure.check(name: place, of: "a place")
            let labels = try label.map { text in
                let parts = text.split(
                    separator: "=",
                    maxSplits: 1,
                    omittingEmptySubsequences: false
                )
                guard parts.count == 2, !parts[0].isEmpty else {
                    throw Failure.usage("--label '\(text)': write KEY=VALUE, such as country=DE")
                }
                return (String(parts[0]), String(parts[1]))
            }
            let target = try central.target
            let connection = try central.connection()
            let password = certificate ? nil : Self.password()
            let (source, role) = try CentralSchema.enrol(
                place,
                labels: labels,
                password: password,
                again: again,
                connection
            )
            let name = EscapedText.terminal(place)
            var lines = ["\(name) is place \(source); it ships as the role \(role)"]
            if let password {
                lines.append(
                    "line for its ~/.pgpass (chmod 600): \(target.passwordLine(role, password))"
                )
            }
            lines.append("there: dnstempo store ship --to \(target.url(as: role).shellQuoted)")
            try Terminal.output.write(lines.joined(separator: "\n") + "\n")
        }

        /// A random password of 143 bits.
        private static func password() -> String {
            let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
            return String((0..<24).compactMap { _ in letters.randomElement() })
        }
    }

    struct Ship: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ship rounds that a central store lacks, each exactly once.",
            discussion: """
                Run it as often as you like, also from cron. Shipped rounds are not sent again, \
                and the next run continues after an interruption. The store is only read.

                Examples:
                  dnstempo store ship --to postgresql://dnstempo_17@db.example/dns
                  dnstempo store ship -q --to postgresql://dnstempo_17@db.example/dns
                """
        )

        @Option(help: "Central store.".naming("url"))
        var to: String

        @OptionGroup var named: NamedStore
        @OptionGroup var reach: ReachOption

        @Flag(name: [.short, .long], help: "Print errors only.")
        var quiet = false

        func run() async throws {
            let target = try CentralAddress(parsing: CentralOption.url(to, of: "--to"))
            let store = try Store(path: named.path(), access: .readOnly)
            let connection = try target.connection(
                within: reach.allowed(UserConfiguration.current()),
                .shipping
            )
            let shipped = try Shipper(store, to: connection).ship()
            guard !quiet else { return }
            try Terminal.output.write(
                "\(shipped.rounds.counted("round")), \(shipped.samples.counted("sample")) shipped to "
                    + "\(EscapedText.terminal(connection.place))\n"
            )
        }
    }
}

/// The central store of commands that administer one.
struct CentralOption: ParsableArguments {
    @Option(help: "Central store.".naming("url"))
    var store: String

    @OptionGroup var reach: ReachOption

    var target: CentralAddress {
        get throws { try CentralAddress(parsing: Self.url(store, of: "--store")) }
    }

    func connection() throws -> CentralConnection {
        try target.connection(within: reach.allowed(UserConfiguration.current()), .reading)
    }

    static func url(_ text: String, of option: String) throws(Failure) -> String {
        guard CentralAddress.isURL(text) else {
            throw Failure.usage(
                "\(option) '\(text)' is no central store: write postgresql://user@host/database"
            )
        }
        return text
    }
}

extension CentralAddress {
    /// The named central store. `nil` if the names are files.
    init?(ofAll names: [String]) throws {
        guard let name = names.first(where: Self.isURL) else { return nil }
        guard names.count == 1 else {
            throw Failure.usage("a central store excludes other stores: report on each alone")
        }
        try self.init(parsing: name)
    }

    /// A connection within the networks that the configuration allows. It lasts until the program is asked to
    /// end.
    func connection() throws -> CentralConnection {
        var limits = CentralLimits.reading
        limits.stop = StopDescriptor.program.descriptor
        return try connection(
            within: AllowedNetworks.of(UserConfiguration.current().options),
            limits
        )
    }

    fileprivate func connection(
        within allowed: AllowedNetworks,
        _ limits: CentralLimits
    ) throws -> CentralConnection {
        try connection(within: allowed, limits: limits) { Terminal.mention($0) }
    }
}

extension CentralReader {
    /// A reader of the named central store. `nil` if the names are files.
    convenience init?(ofAll names: [String], without leftOut: LeftOutPlaces = .init()) throws {
        guard let target = try CentralAddress(ofAll: names) else { return nil }
        self.init(try target.connection(), without: leftOut)
    }
}
