import Failures

/// The resolvers of an imported list, and the text of the configuration that contains them.
///
/// The imported resolvers are between two comments. The next import of the same list replaces them,
/// and changes nothing else in the file.
package struct ResolverImport: Hashable, Sendable {
    package enum Skip: Hashable, Sendable, CaseIterable {
        /// The resolver answers over DNSCrypt.
        case dnscrypt
        /// The resolver is a relay, or is queried through a relay.
        case relayed
        /// The resolver is reached through Tor.
        case tor
        /// The resolver's host has a name that public resolvers do not know.
        case specialUse
        /// The catalogue has a resolver with that name.
        case known
        /// The file has a resolver with that name.
        case own
        /// The resolver uses a port other than the default port.
        case port
        /// The resolver's name or stamp is not usable.
        case unusable
    }

    /// The origin of a list, as its signature states it.
    package struct Origin: Hashable, Sendable {
        /// The name of the signed file, or other words that are allowed in a comment.
        let label: String
        /// The time of the signature in UTC, to the second, such as `2026-09-22T12:01:51Z`.
        let time: String?

        package init(label: String, time: String?) {
            self.label = label
            self.time = time
        }

        fileprivate var day: CalendarDay? {
            time.flatMap { try? CalendarDay(parsing: String($0.prefix(10))) }
        }

        /// Throws if the list in `file` has a later signature, made at `former`.
        fileprivate func check(after former: String?, in file: NamedText) throws(CatalogueError) {
            guard let former else { return }
            let advice = "get the newest list and its signature, or add --allow-older"
            let present = "the list in \(file.name.quoted) was signed at \(former)"
            guard let time else {
                throw CatalogueError(
                    .badData,
                    "the signature of this list has no time, and \(present); \(advice)"
                )
            }
            // Both texts have the same length and go from the year to the second.
            guard time >= former else {
                throw CatalogueError(
                    .badData,
                    "this list was signed at \(time), and \(present); \(advice)"
                )
            }
        }
    }

    /// The text of the whole file.
    package let text: String
    package let isChanged: Bool
    package let imported: Int
    package let skipped: [Skip: Int]

    /// Adds the resolvers of `list` to the configuration at `path`, which need not exist.
    ///
    /// - Throws: an error if the list was signed before the imported one, unless `allowsOlder`.
    package init(
        of list: PublicResolverList,
        from origin: Origin,
        allowsOlder: Bool,
        into path: String
    ) throws(CatalogueError) {
        let file = try NamedText(configuration: path) ?? NamedText(name: path, text: "")
        try self.init(
            of: list,
            from: origin,
            allowsOlder: allowsOlder,
            into: file,
            beside: .bundled()
        )
    }

    init(
        of list: PublicResolverList,
        from origin: Origin,
        allowsOlder: Bool = false,
        into file: NamedText,
        beside catalogue: ResolverCatalogue
    ) throws(CatalogueError) {
        let part = ImportedPart(label: origin.label)
        let place = try part.place(in: file)
        if !allowsOlder { try origin.check(after: place.formerTime, in: file) }
        let own = try UserConfiguration(
            parsing: NamedText(name: file.name, text: place.before + place.after)
        ).resolvers.map(\.name)
        var taken: [String: Skip] = [:]
        for name in catalogue.entries.map(\.name) { taken[name] = .known }
        for name in own { taken[name] = .own }
        var skipped: [Skip: Int] = [:]
        var entries: [CatalogueEntry] = []
        for section in list.sections {
            do throws(Refusal) {
                if let reason = taken[section.name] { throw Refusal(reason: reason) }
                entries.append(try section.entry(day: origin.day))
                taken[section.name] = .unusable
            } catch {
                skipped[error.reason, default: 0] += 1
            }
        }
        let tables = Self.readable(entries).map(\.table)
        if tables.count < entries.count {
            skipped[.unusable, default: 0] += entries.count - tables.count
        }
        text =
            tables.isEmpty
            ? file.text : place.before + part.text(of: tables, time: origin.time) + place.after
        isChanged = text != file.text
        imported = tables.count
        self.skipped = skipped
        // A text that this program could not read is never written.
        _ = try UserConfiguration(parsing: NamedText(name: file.name, text: text))
    }

    /// The entries that a configuration reads back unchanged. A list can contain any text; usually
    /// all entries pass.
    private static func readable(_ entries: [CatalogueEntry]) -> [CatalogueEntry] {
        func isReadable(_ entries: [CatalogueEntry]) -> Bool {
            let written = NamedText(name: "", text: entries.map(\.table).joined())
            return (try? UserConfiguration(parsing: written))?.resolvers == entries
        }
        return isReadable(entries) ? entries : entries.filter { isReadable([$0]) }
    }
}

/// The reason why a section does not become a resolver.
private struct Refusal: Error {
    let reason: ResolverImport.Skip
}

extension PublicResolverList.Section {
    /// The resolver of the first usable stamp. The other stamps add addresses of the same server.
    fileprivate func entry(day: CalendarDay?) throws(Refusal) -> CatalogueEntry {
        let services = stamps.map(StampProtocol.init(of:))
        guard services.contains(where: { $0?.transport != nil }) else {
            throw Refusal(reason: Self.reason(services))
        }
        let readable = stamps.compactMap { try? ServerStamp(parsing: $0) }
        let usable = readable.filter { SpecialUseName($0.host) == nil }
        if usable.isEmpty, let special = readable.lazy.compactMap({ SpecialUseName($0.host) }).first
        {
            throw Refusal(reason: special.needsTor ? .tor : .specialUse)
        }
        // A name of digits only would be read as an address.
        let notation = try? ResolverNotation(parsing: name)
        guard let first = usable.first, notation?.subject == .name(name, all: false) else {
            throw Refusal(reason: .unusable)
        }
        let same = usable.filter { $0.isOfServer(of: first) }
        var entry = CatalogueEntry(name: name, title: name, endpoints: [])
        var addresses: [IPAddress] = []
        for address in same.compactMap(\.address) where !addresses.contains(address) {
            addresses.append(address)
        }
        let host = first.host.contains(":") ? "[\(first.host)]" : first.host
        switch first.transport {
        case .udp, .tcp:
            entry.endpoints = same.compactMap { stamp in
                stamp.address.map { Endpoint(transport: .udp, address: $0, port: stamp.port) }
            }
        case .tls: entry.encrypted.tls = first.host
        case .quic: entry.encrypted.quic = first.host
        case .https, .h3:
            entry.encrypted.https = "https://\(host)\(first.path ?? Resolver.usualPath)"
        }
        if first.transport.isEncrypted {
            guard first.port == first.transport.usualPort else { throw Refusal(reason: .port) }
            guard addresses.allSatisfy(\.isUnicast) else { throw Refusal(reason: .unusable) }
            entry.isEncryptedOnly = true
            entry.bootstrap = addresses
        }
        if first.properties.contains(.dnssec) { entry.dnssec = "yes" }
        if first.properties.contains(.noLogs) { entry.logging = "no" }
        if first.properties.contains(.noFilter) { entry.filtering = "none" }
        entry.note = description.isEmpty ? nil : description
        entry.confirmed = day
        return entry
    }

    private static func reason(_ services: [StampProtocol?]) -> ResolverImport.Skip {
        if services.contains(.dnscrypt) { return .dnscrypt }
        return services.contains { $0 != nil } ? .relayed : .unusable
    }
}

extension ServerStamp {
    fileprivate func isOfServer(of other: ServerStamp) -> Bool {
        transport == other.transport && host == other.host && path == other.path
            && (transport == .udp || port == other.port)
    }
}

/// The part of a configuration between two comments.
struct ImportedPart {
    /// A configuration, divided at the imported part.
    struct Place {
        var before: String
        /// The lines between the two comments; empty if the configuration lacks the part.
        var former: [Substring] = []
        var after: String

        /// The time of the signature of the imported list. In parts without a time, the resolvers
        /// contain the day.
        var formerTime: String? {
            if let line = former.first, line.hasPrefix(ImportedPart.signed) {
                let time = line.dropFirst(ImportedPart.signed.count)
                let day = try? CalendarDay(parsing: String(time.prefix(10)))
                // The user may have changed the line.
                if day != nil, time.utf8.count == 20 { return String(time) }
            }
            let text = NamedText(name: "", text: former.joined(separator: "\n"))
            let resolvers = (try? UserConfiguration(parsing: text))?.resolvers ?? []
            return resolvers.compactMap(\.confirmed).max().map { "\($0)T00:00:00Z" }
        }
    }

    let label: String

    private var beginning: String {
        "# Imported from \(label): 'dnstempo resolvers import dnscrypt' replaces what follows"
    }

    private var end: String { "# End of what was imported from \(label)" }

    private static let signed = "# Signed at "

    func text(of tables: [String], time: String?) -> String {
        let head = [beginning] + (time.map { [Self.signed + $0] } ?? [])
        return ([head.joined(separator: "\n") + "\n"] + tables + [end]).joined(separator: "\n")
    }

    /// The place of the part; the end of the file if it lacks the part.
    func place(in file: NamedText) throws(CatalogueError) -> Place {
        let lines = file.lines
        let first = lines.indices.filter { lines[$0] == beginning }
        let last = lines.indices.filter { lines[$0] == end }
        if first.isEmpty, last.isEmpty {
            let space = file.text.isEmpty ? "" : file.text.hasSuffix("\n") ? "\n" : "\n\n"
            return Place(before: file.text + space, after: "\n")
        }
        guard first.count == 1, last.count == 1, first[0] < last[0] else {
            let line = (first.first ?? last.first ?? 0) + 1
            throw CatalogueError(
                .configuration,
                "\(file.name):\(line): the part imported from \(label) must have one beginning "
                    + "and one end; remove it and import the list again"
            )
        }
        return Place(
            before: String(file.text[..<lines[first[0]].startIndex]),
            former: Array(lines[(first[0] + 1)..<last[0]]),
            after: String(file.text[lines[last[0]].endIndex...])
        )
    }
}
