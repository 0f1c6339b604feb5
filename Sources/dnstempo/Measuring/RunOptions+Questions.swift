import Catalogue
import DNSWire

extension RunOptions {
    /// Checks what a file's reader cannot know, such as what is a domain name; the error is what
    /// `fault` makes of the key and of what is wrong with it.
    func check(_ fault: (_ key: String, _ text: String) -> any Error) throws {
        if rounds != nil, duration != nil {
            throw fault("duration", "it and 'rounds' exclude each other; give one")
        }
        if rounds != nil, untilSure == true {
            throw fault("until-sure", "it and 'rounds' exclude each other; give 'max-rounds'")
        }
        try Self.check("domains", domains ?? [], fault) { _ = try DomainName($0) }
        try Self.check("types", types ?? [], fault) { _ = try RecordType(asked: $0) }
        try Self.check("zone", zones ?? [], fault) {
            _ = try UncachedQuery(under: try DomainName($0), type: .a)
        }
        try Self.check("ecs", ecs.map { [$0] } ?? [], fault) { _ = try Network(parsing: $0) }
    }

    private static func check(
        _ key: String,
        _ texts: [String],
        _ fault: (String, String) -> any Error,
        _ parse: (String) throws -> Void
    ) throws {
        for text in texts {
            do { try parse(text) } catch { throw fault(key, "\(error)") }
        }
    }
}

extension RecordType {
    /// The type of a mnemonic, where it is one to ask for.
    init(asked mnemonic: String) throws(Failure) {
        guard let type = RecordType(mnemonic: mnemonic), type.isQueryable else {
            throw Failure(
                .usage,
                "'\(mnemonic)' is not a record type to ask for; "
                    + "write A, AAAA, TXT, HTTPS or TYPE65, say"
            )
        }
        self = type
    }
}
