import Catalogue
import DNSWire

/// Placeholders for the values in measurements that identify the user: names, private addresses, the labels of
/// private resolvers, and vantage points.
///
/// Equal values have equal placeholders, and values are numbered in the order in which they are noted. A name,
/// a private host, a place or a run that was not noted has a placeholder without a number, so that it cannot pass
/// unchanged.
package struct Redaction: Sendable {
    /// Whether the names of queries are kept.
    package let keepsNames: Bool
    /// Labels that say nothing about the user, such as those of the catalogue.
    private let publicLabels: Set<String>
    /// Paths and server names of encrypted services that say nothing about the user. Others may contain the
    /// name of an account.
    private let publicServers: Set<String>
    /// The names in lower case, because names are equal without regard to case.
    private var names = Numbers()
    private var vantages = Numbers()
    private var hosts = Numbers()
    private var runs = Numbers()
    /// The sources of queries, addresses or interfaces of this machine, which labels contain after an `@`.
    private var sources = Numbers()
    private(set) var labels: [String: String] = [:]
    /// Other texts that are replaced in running text, such as the name of the machine.
    private var words: [String: String] = [:]

    package init(
        keepingNames: Bool = false,
        publicLabels: Set<String> = [],
        publicServers: Set<String> = []
    ) {
        keepsNames = keepingNames
        self.publicLabels = publicLabels
        self.publicServers = publicServers
    }

    /// Values in the order of their first appearance.
    private struct Numbers: Sendable {
        private(set) var numbers: [String: Int] = [:]

        mutating func note(_ value: String) {
            if numbers[value] == nil { numbers[value] = numbers.count + 1 }
        }

        subscript(value: String) -> Int? { numbers[value] }
    }
}

/// Values to replace.
extension Redaction {
    package mutating func note(vantage: String) { vantages.note(vantage) }

    package mutating func note(run id: String) { if !Self.isUsual(run: id) { runs.note(id) } }

    package mutating func note(name: String) { names.note(Self.zone(name).rest.lowercased()) }

    /// Notes a word, such as the name of the machine, that becomes `placeholder` in running text.
    package mutating func note(word: String, as placeholder: String) {
        if !word.isEmpty { words[word.lowercased()] = placeholder }
    }

    /// Notes a resolver. Its vantage point must be noted before, because the label may contain it.
    package mutating func note(_ target: Recording.Target) {
        let parts = parts(of: target.label)
        if let source = parts.source { sources.note(source) }
        guard isOfUser(target) else { return }
        let (host, label) = (target.host, parts.own)
        hosts.note(host)
        guard !isPublic(label), labels[label] == nil else { return }
        let usual = "private-\(hosts[host] ?? 0)"
        let taken = Set(labels.values)
        // A second label of one address is another resolver to all reports.
        let free = (2...).lazy.map { "\(usual)-\($0)" }.first { !taken.contains($0) }
        labels[label] = taken.contains(usual) ? free : usual
    }

    /// Notes all values of a recording.
    package mutating func note(_ recording: Recording) {
        for run in recording.runs {
            note(vantage: run.vantage)
            note(run: run.id)
        }
        for target in recording.targets { note(target) }
        for question in recording.questions { note(name: question.name.description) }
    }

    /// Whether the resolver belongs to the user, by its address, or by the path or name of its server.
    private func isOfUser(_ target: Recording.Target) -> Bool {
        if target.isAtHome { return true }
        let end = target.endpoint.dropFirst(target.place.count)
        return !target.isSimulated && !end.isEmpty && end != Resolver.usualPath
            && !publicServers.contains(String(end))
    }

    /// Whether the label is built in, of the catalogue, or a loopback address.
    private func isPublic(_ label: String) -> Bool {
        let isNumbered = label.hasPrefix("system-") && Int(label.dropFirst(7)) != nil
        return label == "system" || isNumbered || label == "gateway" || publicLabels.contains(label)
            || IPAddress(host: label)?.isLoopback == true
    }

    /// Whether the identifier has the form that ``Run/id(at:random:)`` writes.
    package static func isUsual(run id: String) -> Bool {
        let (digits, hex) = (Set("0123456789"), Set("0123456789abcdef"))
        let shape = id.map { digits.contains($0) ? "0" : String($0) }
        let parts = id.split(separator: "-", omittingEmptySubsequences: false)
        return id.isEmpty
            || parts.count == 2 && shape.prefix(16).joined() == "00000000T000000Z"
                && parts[0].count == 16 && parts[1].count == 8 && parts[1].allSatisfy(hex.contains)
    }
}

/// Placeholders.
extension Redaction {
    /// `vantage`, with a number if there are several places.
    package func vantage(_ name: String) -> String {
        guard !name.isEmpty else { return name }
        guard let number = vantages[name] else { return "unknown-vantage" }
        return Self.numbered("vantage", vantages.numbers.count == 1 ? nil : number)
    }

    /// A valid domain name. A name of the uncached series keeps its `*.`.
    package func name(_ text: String) -> String {
        guard !keepsNames, text != ".", !text.isEmpty else { return text }
        let (isWildcard, zone) = Self.zone(text)
        let number = names[zone.lowercased()]
        return Self.numbered(isWildcard ? "*.zone" : "name", number) + ".invalid"
    }

    /// The label of a resolver that was noted. The source and the place in a label keep their positions.
    package func label(_ label: String) -> String {
        let parts = parts(of: label)
        return joined(parts, labels[parts.own] ?? parts.own)
    }

    /// The label of a resolver.
    func label(of target: Recording.Target) -> String {
        let parts = parts(of: target.label)
        let isKnown = !isOfUser(target) || isPublic(parts.own) || labels[parts.own] != nil
        return isKnown ? label(target.label) : joined(parts, "private")
    }

    private func joined(_ parts: LabelParts, _ own: String) -> String {
        own + (parts.source.map { "@" + Self.numbered("source", sources[$0]) } ?? "")
            + (parts.place.map { " from \(vantage($0))" } ?? "")
    }

    /// The endpoint of a resolver. A private host is replaced, and the port is kept. Of other addresses of the
    /// user, only the path and the name of the server are removed.
    package func endpoint(of target: Recording.Target) -> String {
        guard isOfUser(target) else { return target.endpoint }
        let place = target.place
        if !target.isAtHome || target.address?.isLoopback == true { return place }
        let host = Self.numbered("private", hosts[target.host])
        let port = place.split(separator: ":").last.flatMap { Endpoint.port($0) }
        return port.map { "\(host):\($0)" } ?? host
    }

    package func run(_ id: String) -> String {
        Self.isUsual(run: id) ? id : Self.numbered("run", runs[id])
    }

    private static func numbered(_ word: String, _ number: Int?) -> String {
        number.map { "\(word)-\($0)" } ?? word
    }

    /// Whether the name is a wildcard, and the name without `*.`.
    private static func zone(_ name: String) -> (isWildcard: Bool, rest: String) {
        name.hasPrefix("*.") ? (true, String(name.dropFirst(2))) : (false, name)
    }

    private typealias LabelParts = (own: String, source: String?, place: String?)

    /// The label without the source and the place at its end.
    private func parts(of label: String) -> LabelParts {
        var (own, place) = (label[...], String?.none)
        for range in label.ranges(of: " from ") where place == nil {
            let name = String(label[range.upperBound...])
            if vantages[name] != nil { (own, place) = (label[..<range.lowerBound], name) }
        }
        guard let mark = own.lastIndex(of: "@") else { return (String(own), nil, place) }
        return (String(own[..<mark]), String(own[own.index(after: mark)...]), place)
    }

    /// The values that running text may contain, with their placeholders, the longest first.
    var replacements: [(value: String, placeholder: String)] {
        var all = words
        func add(_ value: String, _ placeholder: String) { all[value.lowercased()] = placeholder }
        for value in vantages.numbers.keys { add(value, vantage(value)) }
        for value in hosts.numbers.keys where IPAddress(value)?.isLoopback != true {
            add(value, Self.numbered("private", hosts[value]))
        }
        for value in sources.numbers.keys { add(value, Self.numbered("source", sources[value])) }
        for (value, placeholder) in labels { add(value, placeholder) }
        for value in runs.numbers.keys { add(value, run(value)) }
        if !keepsNames {
            for value in names.numbers.keys where value != "." { add(value, name(value)) }
        }
        return all.filter { !$0.key.isEmpty }.map { (value: $0.key, placeholder: $0.value) }
            .sorted { ($1.value.count, $0.value) < ($0.value.count, $1.value) }
    }

    /// Whether `name` was queried, and names are kept.
    func isKept(name: String) -> Bool {
        keepsNames && names[Self.zone(name).rest.lowercased()] != nil
    }
}

extension Recording.Target {
    /// Whether the resolver is in a network of the user: its address is private, shared (RFC 6598) or on this machine,
    /// or the endpoint of a file is no address. Simulated resolvers belong to no user.
    fileprivate var isAtHome: Bool {
        guard !isSimulated, !endpoint.isEmpty else { return false }
        return address.map(\.isOfUser) ?? true
    }

    /// The address and port, without the path and the name of the server.
    fileprivate var place: String { String(endpoint.prefix { $0 != "/" && $0 != "#" }) }

    /// The address, or in files from elsewhere the text before the port.
    fileprivate var host: String {
        if let address { return address.description }
        return String(place.prefix(upTo: place.lastIndex(of: ":") ?? place.endIndex))
    }
}

extension IPAddress {
    /// Whether the address identifies no machine on the internet, including shared addresses (RFC 6598).
    fileprivate var isOfUser: Bool {
        let bytes = unmapped.bytes
        return isPrivate || bytes.count == 4 && bytes[0] == 100 && bytes[1] & 0xc0 == 64
    }

    /// Reads the address of a text with or without a port.
    init?(host text: String) {
        self.init(Endpoint.split(text[...]).host)
    }
}
