/// An option of a run in campaigns and configurations. Its key is also the long option of the
/// command line.
package struct RunOption<Value: Hashable & Sendable>: Sendable {
    package let key: String
    fileprivate let read: Reader

    fileprivate typealias Reader =
        @Sendable (TOMLSection) -> (String) throws(CatalogueError) -> Value?

    fileprivate init(_ key: String, _ read: @escaping Reader) {
        self.key = key
        self.read = read
    }
}

extension RunOption {
    package static var domains: RunOption<NameSource> { .init("domains", TOMLSection.names) }
    /// Whether names may contain characters that no host name has.
    package static var literalNames: RunOption<Bool> {
        .init("literal-names", TOMLSection.bool)
    }
    package static var types: RunOption<[String]> { .init("types", TOMLSection.filledStrings) }
    package static var rounds: RunOption<Int> { .init("rounds", TOMLSection.rounds) }
    package static var maxRounds: RunOption<Int> { .init("max-rounds", TOMLSection.rounds) }
    package static var untilSure: RunOption<Bool> { .init("until-sure", TOMLSection.bool) }
    package static var keepAll: RunOption<Bool> { .init("keep-all", TOMLSection.bool) }
    package static var duration: RunOption<Duration> {
        .init("duration", TOMLSection.positiveDuration)
    }
    package static var interval: RunOption<Duration> { .init("interval", TOMLSection.duration) }
    package static var timeout: RunOption<Duration> {
        .init("timeout", TOMLSection.positiveDuration)
    }
    package static var margin: RunOption<Duration> { .init("margin", TOMLSection.duration) }
    /// A service objective, such as `p95 < 50ms`.
    package static var objective: RunOption<String> { .init("objective", TOMLSection.string) }
    /// The number of queries per second to one resolver.
    package static var rate: RunOption<Double> { .init("rate", TOMLSection.rate) }
    /// The number of queries per second to all resolvers.
    package static var totalRate: RunOption<Double> { .init("total-rate", TOMLSection.rate) }
    package static var warmup: RunOption<Int> { .init("warmup", TOMLSection.warmup) }
    package static var seed: RunOption<UInt64> { .init("seed", TOMLSection.seed) }
    package static var sampling: RunOption<Sampling> { .init("sampling", TOMLSection.parsed) }
    package static var transports: RunOption<TransportChoice> {
        .init("transport", TOMLSection.transports)
    }
    /// The resolver for the addresses of host names, instead of the system.
    package static var bootstrap: RunOption<Endpoint> { .init("bootstrap", TOMLSection.parsed) }
    package static var connections: RunOption<ConnectionPolicy> {
        .init("connections", TOMLSection.parsed)
    }
    package static var httpMethod: RunOption<HTTPMethod> {
        .init("http-method", TOMLSection.parsed)
    }
    /// The only version of TLS over TCP; both without a value.
    package static var tlsVersion: RunOption<TLSVersion> {
        .init("tls-version", TOMLSection.parsed)
    }
    package static var series: RunOption<[String]> { .init("series", TOMLSection.series) }
    /// The number of names that are queried once each.
    package static var names: RunOption<Int> { .init("names", TOMLSection.rounds) }
    package static var zones: RunOption<[String]> { .init("zone", TOMLSection.filledStrings) }
    package static var dnssec: RunOption<Bool> { .init("dnssec", TOMLSection.bool) }
    package static var nsid: RunOption<Bool> { .init("nsid", TOMLSection.bool) }
    package static var ecs: RunOption<String> { .init("ecs", TOMLSection.string) }
    package static var mixedCase: RunOption<Bool> { .init("0x20", TOMLSection.bool) }
    package static var noRecursion: RunOption<Bool> { .init("no-recurse", TOMLSection.bool) }
    /// `IN`, `CH` or `HS`.
    package static var recordClass: RunOption<String> { .init("class", TOMLSection.string) }
    /// The buffer size in bytes; 0 for no EDNS.
    package static var bufferSize: RunOption<Int> { .init("bufsize", TOMLSection.bufferSize) }
    /// Whether TCP handshakes measure the network round trip in addition to the queries.
    package static var floor: RunOption<Bool> { .init("floor", TOMLSection.bool) }
    /// Whether encrypted queries are padded.
    package static var padding: RunOption<Bool> { .init("padding", TOMLSection.bool) }
    /// Whether samples record the bytes and packets of their queries.
    package static var wire: RunOption<Bool> { .init("wire", TOMLSection.bool) }
    package static var cookie: RunOption<Bool> { .init("cookie", TOMLSection.bool) }
    /// EDNS options, each a code and hexadecimal digits, such as `65001:00ff`.
    package static var ednsOptions: RunOption<[String]> {
        .init("edns-option", TOMLSection.filledStrings)
    }
    /// The sources of queries: addresses and interfaces of this machine.
    package static var sources: RunOption<[QuerySource]> { .init("source", TOMLSection.sources) }
    /// The mark of the queries' packets.
    package static var dscp: RunOption<DSCP> { .init("dscp", TOMLSection.mark) }
    package static var baseline: RunOption<String> { .init("baseline", TOMLSection.string) }
    package static var vantage: RunOption<String> { .init("vantage", TOMLSection.string) }
    package static var allowedNetworks: RunOption<AllowedNetworks> {
        .init("allow-net", TOMLSection.networks)
    }
    package static var store: RunOption<String> { .init("store", TOMLSection.string) }
    package static var noStore: RunOption<Bool> { .init("no-store", TOMLSection.bool) }
}

/// A number of queries per second, to one resolver or to all.
package enum QueryRate {
    /// The range from one query in 17 minutes to more than a machine can send.
    static let range = 0.001...1_000_000.0

    /// The reason why `rate` is not valid for `option`, and the remedy; `nil` if it is valid.
    package static func fault(_ rate: Double, of option: String) -> String? {
        guard !range.contains(rate) else { return nil }
        return "\(option) \(rate): give the queries per second, from "
            + "\(range.lowerBound.shortest) to \(range.upperBound.shortest)"
    }
}

/// The names to query, or the file that contains them.
package enum NameSource: Hashable, Sendable {
    case names([String])
    case file(String)
}

/// The options that a campaign, a configuration or a command line sets. Absent options leave the
/// choice to other sources.
package struct RunOptions: Equatable, Sendable {
    private var values: [String: Value] = [:]

    package init() {}

    package subscript<Option>(option: RunOption<Option>) -> Option? {
        get { values[option.key] as? Option }
        set { values[option.key] = newValue }
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.values.mapValues { AnyHashable($0) } == right.values.mapValues { AnyHashable($0) }
    }

    /// These options, with the values of `weaker` for options that are absent here.
    ///
    /// Rounds, duration and the until-sure option are one choice. If one of them, or the maximum
    /// number of rounds, is set here, their values in `weaker` are ignored. The store and the
    /// no-store option are one choice too. Allowed networks can only become narrower.
    package func over(_ weaker: RunOptions) -> RunOptions {
        var merged = weaker
        let length = ["rounds", "duration", "until-sure"]
        let place = ["store", "no-store"]
        for (choice, keys) in [(length + ["max-rounds"], length), (place, place)]
        where choice.contains(where: { values[$0] != nil }) {
            for key in keys { merged.values[key] = nil }
        }
        merged.values.merge(values) { $1 }
        if let outer = weaker[.allowedNetworks], let inner = self[.allowedNetworks] {
            merged[.allowedNetworks] = outer.narrowed(to: inner)
        }
        return merged
    }

    /// Reads the top of a file, which may also have `tables`.
    init(
        _ section: TOMLSection,
        tables: [String] = ["resolver"]
    ) throws(CatalogueError) {
        try section.check(keys: tables + Self.readers.map(\.key))
        for (key, read) in Self.readers { values[key] = try read(section) }
    }

    /// The keys of a configuration, and of a campaign.
    static var keys: [String] { readers.map(\.key) }

    private typealias Reading = @Sendable (TOMLSection) throws(CatalogueError) -> Value?
    private typealias Value = any Hashable & Sendable

    /// The readers in the order in which errors list the keys.
    private static let readers: [(key: String, read: Reading)] = [
        reader(.domains), reader(.literalNames), reader(.types), reader(.rounds),
        reader(.maxRounds), reader(.untilSure),
        reader(.keepAll), reader(.duration), reader(.interval), reader(.timeout), reader(.margin),
        reader(.objective), reader(.rate),
        reader(.totalRate), reader(.warmup), reader(.seed), reader(.sampling), reader(.transports),
        reader(.bootstrap),
        reader(.connections), reader(.httpMethod), reader(.tlsVersion), reader(.series),
        reader(.names), reader(.zones),
        reader(.dnssec), reader(.nsid), reader(.ecs), reader(.mixedCase), reader(.noRecursion),
        reader(.recordClass), reader(.bufferSize), reader(.padding), reader(.floor),
        reader(.wire), reader(.cookie), reader(.ednsOptions),
        reader(.sources), reader(.dscp), reader(.baseline), reader(.vantage),
        reader(.allowedNetworks), reader(.store), reader(.noStore),
    ]

    private static func reader<Option>(_ option: RunOption<Option>) -> (String, Reading) {
        (option.key, { section throws(CatalogueError) in try option.read(section)(option.key) })
    }
}

extension TOMLSection {
    /// An array of names, or the path of a file with names.
    fileprivate func names(_ key: String) throws(CatalogueError) -> NameSource? {
        if isText(key) { return .file(try requiredString(key)) }
        return try filledStrings(key).map(NameSource.names)
    }

    fileprivate func positiveDuration(_ key: String) throws(CatalogueError) -> Duration? {
        let duration = try duration(key)
        guard duration != .zero else { throw fault(key, "'\(key)' has to be longer than zero") }
        return duration
    }

    fileprivate func rate(_ key: String) throws(CatalogueError) -> Double? {
        try number(key, in: QueryRate.range)
    }

    /// An array that is not empty and has no empty entry.
    fileprivate func filledStrings(_ key: String) throws(CatalogueError) -> [String]? {
        guard let texts = try strings(key) else { return nil }
        guard !texts.isEmpty, texts.allSatisfy({ !$0.isEmpty }) else {
            throw fault(key, "'\(key)' is empty or has an empty entry; leave it out or fill it")
        }
        return texts
    }

    /// An array of words, or one text with words separated by commas.
    fileprivate func series(_ key: String) throws(CatalogueError) -> [String]? {
        let known = ["cached", "uncached", "as-found"]
        guard let texts = try filledStrings(key) else { return nil }
        let words = texts.flatMap { $0.split(separator: ",").map { String($0.trimmingSpaces) } }
        if let wrong = words.first(where: { !known.contains($0) }) {
            let advice =
                NearestName.advice(for: wrong, among: known)
                ?? "write \(known.joined(separator: ", "))"
            throw fault(key, "'\(key)': unknown word \(wrong.quoted); \(advice)")
        }
        return words
    }

    fileprivate func rounds(_ key: String) throws(CatalogueError) -> Int? {
        try integer(key, in: 1...1_000_000)
    }

    fileprivate func bufferSize(_ key: String) throws(CatalogueError) -> Int? {
        try integer(key, in: 0...4096)
    }

    fileprivate func sources(_ key: String) throws(CatalogueError) -> [QuerySource]? {
        try filledStrings(key)?.map { text throws(CatalogueError) in try value(of: text, key) }
    }

    /// A number, or a name.
    fileprivate func mark(_ key: String) throws(CatalogueError) -> DSCP? {
        if isText(key) { return try parsed(key) }
        guard let number = try integer(key, in: 0...63) else { return nil }
        return try value(of: String(number), key)
    }

    fileprivate func warmup(_ key: String) throws(CatalogueError) -> Int? {
        try integer(key, in: 0...100)
    }

    fileprivate func seed(_ key: String) throws(CatalogueError) -> UInt64? {
        try integer(key, in: 0...Int.max).map { UInt64($0) }
    }

    fileprivate func transports(_ key: String) throws(CatalogueError) -> TransportChoice? {
        try joined(filledStrings(key), key)
    }

    fileprivate func networks(_ key: String) throws(CatalogueError) -> AllowedNetworks? {
        try joined(strings(key), key)
    }

    /// The value of the text that joins `texts` with commas. Errors name `key`.
    private func joined<Value: TextValue>(
        _ texts: [String]?,
        _ key: String
    ) throws(CatalogueError) -> Value? {
        guard let text = texts?.joined(separator: ",") else { return nil }
        return try value(of: text, key)
    }
}
