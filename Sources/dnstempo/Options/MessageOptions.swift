import ArgumentParser
import Catalogue

/// The form of each query apart from its question.
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

    @Flag(help: "Record the bytes and packets of each query.".forExperts)
    var wire = false

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
        self[.wire] = message.wire ? true : nil
        self[.cookie] = message.cookie ? true : nil
        self[.ednsOptions] = message.ednsOption.isEmpty ? nil : message.ednsOption
    }
}
