/// The resolvers of a list, and the text of the configuration that has them.
///
/// They stand between two comments, and the next import of the same list replaces what is there:
/// nothing else of the file changes.
package struct ResolverImport: Hashable, Sendable {
    package enum Skip: Hashable, Sendable, CaseIterable {
        /// It is asked over DNSCrypt.
        case dnscrypt
        /// It relays queries of others, or is asked through a relay.
        case relayed
        /// The catalogue has a resolver of that name.
        case known
        /// The file has one of that name.
        case own
        /// It is asked on another port than the usual one.
        case port
        /// Its name or stamp cannot be used.
        case unusable
    }

    /// The whole file.
    package let text: String
    package let isChanged: Bool
    package let imported: Int
    package let skipped: [Skip: Int]

    /// The resolvers of `list`, whose name is `label` and of which it was signed on `day`, added to
    /// the configuration at `path`, where there need not be one.
    package init(
        of list: PublicResolverList,
        label: String,
        day: CalendarDay?,
        into path: String
    ) throws(CatalogueError) {
        let file = try NamedText(configuration: path) ?? NamedText(name: path, text: "")
        try self.init(of: list, label: label, day: day, into: file, beside: .bundled())
    }

    init(
        of list: PublicResolverList,
        label: String,
        day: CalendarDay?,
        into file: NamedText,
        beside catalogue: ResolverCatalogue
    ) throws(CatalogueError) {
        let part = ImportedPart(label: label)
        let (before, after) = try part.surroundings(in: file)
        let own = try UserConfiguration(
            parsing: NamedText(name: file.name, text: before + after)
        ).resolvers.map(\.name)
        var taken: [String: Skip] = [:]
        for name in catalogue.entries.map(\.name) { taken[name] = .known }
        for name in own { taken[name] = .own }
        var skipped: [Skip: Int] = [:]
        var entries: [CatalogueEntry] = []
        for section in list.sections {
            do throws(Refusal) {
                if let reason = taken[section.name] { throw Refusal(reason: reason) }
                entries.append(try section.entry(day: day))
                taken[section.name] = .unusable
            } catch {
                skipped[error.reason, default: 0] += 1
            }
        }
        let readable = Self.readable(entries)
        if readable.count < entries.count {
            skipped[.unusable, default: 0] += entries.count - readable.count
        }
        let tables = readable.map(\.table)
        text = tables.isEmpty ? file.text : before + part.text(of: tables) + after
        isChanged = text != file.text
        imported = tables.count
        self.skipped = skipped
        // Nothing is written that could not be read.
        _ = try UserConfiguration(parsing: NamedText(name: file.name, text: text))
    }

    /// Those that a configuration takes as they are meant, whatever a list says: mostly all.
    private static func readable(_ entries: [CatalogueEntry]) -> [CatalogueEntry] {
        func isReadable(_ entries: [CatalogueEntry]) -> Bool {
            let written = NamedText(name: "", text: entries.map(\.table).joined())
            return (try? UserConfiguration(parsing: written))?.resolvers == entries
        }
        return isReadable(entries) ? entries : entries.filter { isReadable([$0]) }
    }
}

/// Why a section becomes no resolver.
private struct Refusal: Error {
    let reason: ResolverImport.Skip
}

extension PublicResolverList.Section {
    /// The resolver of the first stamp that can be used; the others add addresses of the same server.
    fileprivate func entry(day: CalendarDay?) throws(Refusal) -> CatalogueEntry {
        let services = stamps.map(StampProtocol.init(of:))
        guard services.contains(where: { $0?.transport != nil }) else {
            throw Refusal(reason: Self.reason(services))
        }
        let usable = stamps.compactMap { try? ServerStamp(parsing: $0) }
        // A name of digits alone would be read as an address.
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

/// A part of a configuration between two comments.
struct ImportedPart {
    let label: String

    private var beginning: String {
        "# Imported from \(label): 'dnstempo resolvers import dnscrypt' replaces what follows"
    }

    private var end: String { "# End of what was imported from \(label)" }

    func text(of tables: [String]) -> String {
        ([beginning + "\n"] + tables + [end]).joined(separator: "\n")
    }

    /// The text before and after the part, which stands at the end where the file has none.
    func surroundings(in file: NamedText) throws(CatalogueError) -> (String, String) {
        let lines = file.lines
        let first = lines.indices.filter { lines[$0] == beginning }
        let last = lines.indices.filter { lines[$0] == end }
        if first.isEmpty, last.isEmpty {
            let space = file.text.isEmpty ? "" : file.text.hasSuffix("\n") ? "\n" : "\n\n"
            return (file.text + space, "\n")
        }
        guard first.count == 1, last.count == 1, first[0] < last[0] else {
            let line = (first.first ?? last.first ?? 0) + 1
            throw CatalogueError(
                .configuration,
                "\(file.name):\(line): the part imported from \(label) has not one beginning and one"
                    + " end; remove it and import the list again"
            )
        }
        return (
            String(file.text[..<lines[first[0]].startIndex]),
            String(file.text[lines[last[0]].endIndex...])
        )
    }
}
