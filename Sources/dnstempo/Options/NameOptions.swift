import ArgumentParser

/// Names to query.
struct NameOptions: ParsableArguments {
    @Option(
        name: [.short, .customLong("domain")],
        help: "Name to query; repeatable. (default: ten popular names)".naming("name")
    )
    var domains: [String] = []

    @Option(
        name: .customLong("domains"),
        help: "File of names to query, one per line; also 'name type' or CSV.".naming("file"),
        completion: .file()
    )
    var domainsFile: String?

    @Flag(help: "Accept names with characters that no host name has.".forExperts)
    var literalNames = false

    @Option(
        help: "The ten names you visit most (firefox, chromium or a path); asks first."
            .naming("browser"),
        completion: .file(orWords: ["firefox", "chromium"])
    )
    var domainsFrom: String?

    @Flag(help: "Do not ask before --domains-from.".forExperts)
    var yes = false

    @Option(
        name: [.short, .customLong("type")],
        help: "Record type; repeatable; compare: browser (all that it asks). (default: A)"
            .naming("type"),
        completion: .list([
            "browser", "A", "AAAA", "HTTPS", "MX", "NS", "SOA", "SRV", "SVCB", "TXT",
        ])
    )
    var types: [String] = []

    @Option(
        name: .customLong("expect"),
        help: "Right answer, as 'a.example A 192.0.2.1'; another counts as failed; repeatable."
            .naming("answer").forExperts
    )
    var expectations: [String] = []

    @Option(
        help: """
            cached, uncached (random names: cache misses) or cached,uncached; compare: as-found (a \
            long list, each name once). (default: cached)
            """.naming("list"),
        completion: .list(["cached", "uncached", "cached,uncached", "as-found"])
    )
    var series: String?

    @Option(
        name: .customLong("zone"),
        help: "Unsigned zone for uncached names; repeatable. (default: ten large ones)"
            .naming("name").forExperts
    )
    var zones: [String] = []

    mutating func validate() { JoinedWords.split(&domains) }
}

/// The length of a list of names that are queried once each.
struct ListLengthOption: ParsableArguments {
    @Option(help: "Number of names of --series as-found. (default: 600)".naming("n"))
    var names: Int?
}
