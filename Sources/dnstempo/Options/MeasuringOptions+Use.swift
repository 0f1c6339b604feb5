import Catalogue
import DNSWire
import Failures
import Samples

extension MeasuringOptions {
    /// Refuses what none of `resolvers` would have a use for; `hosts` are to be looked up.
    func checkUse(by resolvers: [Resolver], hosts: [String]) throws {
        let kinds = Set(resolvers.map(\.endpoint.transport))
        let isEncrypted = kinds.contains(where: \.isEncrypted)
        func unused(_ option: String) -> String {
            "\(option) is for encrypted transports, and no resolver is queried over one: add "
                + "--transport tls, say, or leave it out"
        }
        try Failure.refuse([
            unused("--ca"): trust.authority.file != nil && !isEncrypted,
            unused("--pin"): !trust.pins.isEmpty && !isEncrypted,
            unused("--insecure"): trust.insecure && !isEncrypted,
            unused("--connections"): trust.connections != nil && !isEncrypted,
            "--http-method is for https and h3, and no resolver is queried over these: leave it out":
                trust.httpMethod != nil && !kinds.contains(where: \.isHTTP),
            "--bootstrap looks up host names, and no resolver is named by one: leave it out":
                trust.bootstrap != nil && hosts.isEmpty,
            "simulated resolvers have no TLS; leave out --lab, tls or both":
                choice.lab != nil && isEncrypted,
        ])
    }

    /// Refuses what look-ups of a browser cannot go with.
    func checkBrowser(_ options: RunOptions, isComparison: Bool) throws {
        guard options.asksAsBrowser else { return }
        let series = options[.series]?.joined(separator: ",") ?? ""
        try Failure.refuse([
            "--type browser compares what a browser waits for: use compare": !isComparison,
            "--type browser asks for A, AAAA and HTTPS: leave out the other types":
                options[.types]?.map { $0.lowercased() } != ["browser"],
            "--series \(series): --type browser is a series of its own; leave out one of the two":
                options[.series] != nil,
            "--type browser asks for several types at one moment: leave out --sampling poisson":
                options[.sampling] == .poisson,
        ])
    }

    /// Refuses what an as-found run would have no use for.
    func checkAsFound(_ options: RunOptions, _ certainty: CertaintyOptions?) throws {
        guard options.asksAsFound else {
            try Failure.refuse([
                "--names is the length of an as-found list: add --series as-found, or leave it out":
                    listLength != nil
            ])
            return
        }
        let series = options[.series] ?? []
        guard series.count == 1 else {
            throw Failure.usage(
                "--series \(series.joined(separator: ",")): as-found asks another list of names, in a "
                    + "run of its own; leave out the others"
            )
        }
        func unused(_ option: String) -> String {
            "\(option): --series as-found asks a list of names once and then ends; leave it out, or "
                + "choose the length with --names"
        }
        try Failure.refuse([
            unused("--rounds"): rounds != nil, unused("--duration"): duration != nil,
            unused("--interval"): interval != nil, unused("--warmup"): pacing.warmup != nil,
            "--names \(listLength ?? 0): give a number from 20 to 10000":
                listLength.map { !(20...10_000).contains($0) } ?? false,
            "--series as-found asks each name once, ten in a round: leave out --sampling poisson":
                options[.sampling] == .poisson,
            "--type: --series as-found asks one type; name one": (options[.types]?.count ?? 1) > 1,
        ])
        guard let certainty else {
            throw Failure.usage(
                "--series as-found is judged once, at the end of a list of names: use compare"
            )
        }
        try certainty.checkAsFound()
    }
}

extension RunOptions {
    /// Whether each name of a list is asked once.
    var asksAsFound: Bool { self[.series]?.contains(Series.asFound.description) == true }

    /// Whether a name is looked up as a browser does, among other types or alone.
    var asksAsBrowser: Bool {
        self[.types]?.contains { $0.lowercased().split(separator: ",").contains("browser") } == true
    }
}

extension RecordType {
    /// The types that a mistyped word may mean.
    private static let usual = [
        "A", "AAAA", "CAA", "CNAME", "DNSKEY", "DS", "HTTPS", "MX", "NS", "PTR", "SOA", "SRV",
        "SVCB", "TXT",
    ]

    init(asked mnemonic: String) throws(Failure) {
        guard let type = RecordType(mnemonic: mnemonic), type.isQueryable else {
            let advice = NearestName.advice(for: mnemonic, among: Self.usual)
            throw Failure.usage(
                "'\(mnemonic)' is not a record type to ask for; "
                    + (advice ?? "write A, AAAA, TXT, HTTPS or TYPE65, say")
            )
        }
        self = type
    }
}
