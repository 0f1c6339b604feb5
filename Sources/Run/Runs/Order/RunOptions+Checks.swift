import Catalogue
import DNSWire
package import Failures

extension TextValue {
    /// Reads the value of an option or a variable. An error names it.
    package static func read(_ text: String?, of option: String) throws(Failure) -> Self? {
        do {
            return try text.map { text throws(CatalogueError) in try Self(parsing: text) }
        } catch {
            throw Failure.usage("\(option): \(error)")
        }
    }
}

extension RunOptions {
    /// Checks values that a file's reader cannot validate, such as domain names. `fault` creates
    /// the error from the key and the reason.
    package func check(_ fault: (_ key: String, _ text: String) -> any Error) throws {
        if self[.rounds] != nil, self[.duration] != nil {
            throw fault("duration", "it and 'rounds' cannot be combined; give one")
        }
        if self[.rounds] != nil, self[.untilSure] == true {
            throw fault("until-sure", "it and 'rounds' cannot be combined; give 'max-rounds'")
        }
        func check(_ key: String, _ texts: [String]?, _ parse: (String) throws -> Void) throws {
            for text in texts ?? [] {
                do { try parse(text) } catch { throw fault(key, "\(error)") }
            }
        }
        if case .names(let names) = self[.domains] {
            try check("domains", names) { _ = try DomainName($0) }
        }
        if !asksAsBrowser {
            try check("types", self[.types]) { _ = try RecordType(asked: $0) }
        }
        try check("zone", self[.zones]) {
            _ = try UncachedQuery(under: try DomainName($0), type: .a)
        }
        try check("objective", self[.objective].map { [$0] }) { _ in _ = try objective }
        try checkMessage(fault)
    }
}

extension RecordType {
    /// The types among which a misspelt word is searched.
    private static let usual = [
        "A", "AAAA", "CAA", "CNAME", "DNSKEY", "DS", "HTTPS", "MX", "NS", "PTR", "SOA", "SRV",
        "SVCB", "TXT",
    ]

    init(asked mnemonic: String) throws(Failure) {
        guard let type = RecordType(mnemonic: mnemonic), type.isQueryable else {
            let advice = NearestName.advice(for: mnemonic, among: Self.usual)
            throw Failure.usage(
                "'\(mnemonic)' is not a record type to ask for; "
                    + (advice ?? "write A, AAAA, TXT, HTTPS or TYPE65, for example")
            )
        }
        self = type
    }
}
