import Catalogue
import DNSWire
import Failures
import Samples

extension RunOptions {
    /// Checks each of these options alone. `fault` creates the error from the key and the reason.
    func checkMessage(_ fault: (_ key: String, _ text: String) -> any Error) throws {
        do { _ = try self[.ecs].map { try Network(parsing: $0) } } catch {
            throw fault("ecs", "\(error)")
        }
        if let text = self[.recordClass], RecordClass(mnemonic: text) == nil {
            throw fault(
                "class",
                "unknown class '\(text.cut(toCharacters: 40))'; write IN, CH or HS"
            )
        }
        if let size = self[.bufferSize], size != 0, !(512...4096).contains(size) {
            throw fault("bufsize", "'\(size)': give 512 to 4096 bytes, or 0 for no EDNS")
        }
        let texts = self[.ednsOptions] ?? []
        let parameters = try texts.map { text in
            do { return try EDNSParameter(given: text) } catch {
                throw fault("edns-option", "\(error)")
            }
        }
        let size = parameters.reduce(0) { $0 + 4 + $1.data.count }
        if size > EDNSParameter.mostBytes {
            throw fault(
                "edns-option",
                "\(size) bytes of options: \(EDNSParameter.mostBytes) are the most, 4 for each "
                    + "and its data"
            )
        }
    }

    /// Throws if two of these options contradict each other or the queried names.
    func checkMessageUse() throws {
        let noEDNS = self[.bufferSize] == 0
        let needsEDNS: [(String, Bool)] = [
            ("--dnssec", self[.dnssec] == true), ("--nsid", self[.nsid] == true),
            ("--ecs", self[.ecs] != nil), ("--padding", self[.padding] == true),
            ("--cookie", self[.cookie] == true),
            ("--edns-option", self[.ednsOptions] != nil),
        ]
        if noEDNS, let option = needsEDNS.first(where: \.1)?.0 {
            throw Failure.usage("--bufsize 0 sends no EDNS, which \(option) needs: leave out one")
        }
        let word = self[.recordClass] ?? ""
        guard usedClass != .internet else { return }
        let series = self[.series]?.joined(separator: ",") ?? "cached"
        try Failure.refuse([
            "--class \(word): the default names are of class IN; name others, as in -d "
                + "version.bind -t TXT": self[.domains] == nil,
            "--class \(word): --series \(series) asks names of class IN; leave out one of the two":
                series != "cached",
            "--class \(word): --type browser asks names of class IN; leave out one of the two":
                asksAsBrowser,
        ])
    }

    /// The class of the questions.
    var usedClass: RecordClass {
        self[.recordClass].flatMap { RecordClass(mnemonic: $0) } ?? .internet
    }

    /// The options of each query. By default, a query requests the server's name if `asksSite`.
    func queryOptions(asksSite: Bool) throws -> QueryOptions {
        var query = QueryOptions()
        query.dnssecOK = self[.dnssec] ?? false
        query.bufferSize = self[.bufferSize].map(UInt16.init(clamping:)) ?? query.bufferSize
        query.nsid = self[.nsid] ?? (asksSite && query.bufferSize > 0)
        query.isPadded = self[.padding] ?? true
        query.randomCase = self[.mixedCase] ?? false
        query.recursionDesired = self[.noRecursion] != true
        query.parameters = try (self[.ednsOptions] ?? []).map { try EDNSParameter(given: $0) }
        if let text = self[.ecs] {
            let network = try Network(parsing: text)
            query.clientSubnet = ClientSubnet(
                address: network.address.bytes,
                prefixLength: UInt8(clamping: network.prefixLength)
            )
        }
        return query
    }
}

extension EDNSParameter {
    /// The options that another option of the program sends, with a note about it.
    private static let own: [UInt16: String] = [
        EDNSOption.nsid: "--nsid sends it", EDNSOption.clientSubnet: "--ecs sends it",
        EDNSOption.cookie: "--cookie sends it",
        EDNSOption.padding: "encrypted queries are padded already",
    ]

    fileprivate init(given text: String) throws(Failure) {
        guard let option = Self(parsing: text) else {
            throw Failure.usage(
                "'\(text.cut(toCharacters: 40))': write a code from 0 to 65535 and hexadecimal digits, as 65001:00ff"
            )
        }
        if let reason = Self.own[option.code] {
            throw Failure.usage(
                "'\(text.cut(toCharacters: 40))': option \(option.code) is dnstempo's own: \(reason)"
            )
        }
        self = option
    }
}
