import ArgumentParser
import Catalogue
import DNSWire
import Failures
import Samples

/// How each query is made, beside its question.
struct MessageOptions: ParsableArguments {
    @Flag(help: "Request DNSSEC records.".forExperts)
    var dnssec = false

    @Flag(
        inversion: .prefixedNo,
        help: "Request the name of the server (NSID). (default: only sample, watch, serve)"
            .forExperts
    )
    var nsid: Bool?

    @Option(help: "Client subnet to send with queries (ECS).".naming("prefix").forExperts)
    var ecs: String?

    @Flag(name: .customLong("0x20"), help: "Mix upper and lower case in names (0x20).".forExperts)
    var randomCase = false

    @Flag(help: "Ask without recursion (RD clear).".forExperts)
    var noRecurse = false

    @Option(
        name: .customLong("class"),
        help: "Class of the names: IN, CH or HS. (default: IN)".naming("class").forExperts,
        completion: .list(["IN", "CH", "HS"])
    )
    var recordClass: String?

    @Option(
        help: "UDP payload size announced in EDNS, 512 to 4096; 0: no EDNS. (default: 1232)"
            .naming("n").forExperts
    )
    var bufsize: Int?

    @Flag(
        inversion: .prefixedNo,
        help: "Pad encrypted queries to 128 bytes (RFC 8467). (default: --padding)".forExperts
    )
    var padding: Bool?

    @Flag(help: "Send DNS cookies (RFC 7873).".forExperts)
    var cookie = false

    @Option(
        help: "EDNS option to send, as 65001:00ff; repeatable.".naming("code:hex").forExperts
    )
    var ednsOption: [String] = []
}

extension RunOptions {
    mutating func set(_ message: MessageOptions) {
        self[.dnssec] = message.dnssec ? true : nil
        self[.nsid] = message.nsid
        self[.ecs] = message.ecs
        self[.mixedCase] = message.randomCase ? true : nil
        self[.noRecursion] = message.noRecurse ? true : nil
        self[.recordClass] = message.recordClass
        self[.bufferSize] = message.bufsize
        self[.padding] = message.padding
        self[.cookie] = message.cookie ? true : nil
        self[.ednsOptions] = message.ednsOption.isEmpty ? nil : message.ednsOption
    }

    /// Checks each of those options by itself; the error is what `fault` makes of its key and of what
    /// is wrong with it.
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
            throw fault("bufsize", "'\(size)': give 512 to 4096 octets, or 0 for no EDNS")
        }
        let texts = self[.ednsOptions] ?? []
        let parameters = try texts.map { text in
            do { return try EDNSParameter(given: text) } catch {
                throw fault("edns-option", "\(error)")
            }
        }
        let size = parameters.reduce(0) { $0 + 4 + $1.data.count }
        if size > EDNSParameter.mostOctets {
            throw fault(
                "edns-option",
                "\(size) octets of options: \(EDNSParameter.mostOctets) are the most, 4 for each "
                    + "and its data"
            )
        }
    }

    /// Throws where two of those options contradict each other, or the names that are asked for.
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

    /// The class that names are asked in.
    var usedClass: RecordClass {
        self[.recordClass].flatMap { RecordClass(mnemonic: $0) } ?? .internet
    }

    /// How each query is made. Unless something else is asked for, the server's name is asked for
    /// where `asksSite`.
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
                address: network.address.octets,
                prefixLength: UInt8(clamping: network.prefixLength)
            )
        }
        return query
    }
}

extension EDNSParameter {
    /// Those that are sent for another option's sake, each with that one.
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
