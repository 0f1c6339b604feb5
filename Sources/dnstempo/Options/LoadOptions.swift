import ArgumentParser
import Catalogue
import Failures
import Load
import Runs
import Samples

/// A load of the line by the user's own transfers.
struct LoadOptions: ParsableArguments {
    @Flag(
        help: "Measure also while --load URL fills the line."
    )
    var underLoad = false

    @Option(
        name: .customLong("load"),
        help: "Download this URL as a load; repeatable.".naming("url").forExperts
    )
    var downloads: [String] = []

    @Option(
        name: .customLong("load-upload"),
        help: "Upload to this URL as a load, with POST; repeatable.".naming("url").forExperts
    )
    var uploads: [String] = []

    @Option(
        name: .customLong("load-peer"),
        help: "Load both directions, with a machine where 'dnstempo load-peer' runs; repeatable."
            .naming("host:port").forExperts
    )
    var peers: [String] = []

    @Option(
        name: .customLong("load-limit"),
        help: "Maximum number of bytes of all loads together. (default: 200MB)".naming("bytes")
            .forExperts
    )
    var limit: String?

    /// The load; `nil` if none is requested.
    var request: LoadRequest? {
        get throws {
            let hasSource = !(downloads + uploads + peers).isEmpty
            try Failure.refuse([
                "--under-load needs a load of your own: add --load URL, --load-upload URL or "
                    + "--load-peer HOST:PORT": underLoad && !hasSource,
                "--load, --load-upload and --load-peer go with --under-load: add it, or leave them out":
                    !underLoad && hasSource,
                "--load-limit goes with --under-load: add it, or leave out the limit":
                    !underLoad && limit != nil,
            ])
            guard underLoad else { return nil }
            var request = LoadRequest()
            for url in downloads {
                try request.add(url, .download, option: "--load \(url)")
            }
            for url in uploads {
                try request.add(url, .upload, option: "--load-upload \(url)")
            }
            for peer in peers { try request.add(peer: peer) }
            request.limit = try ByteCount.read(limit, of: "--load-limit") ?? request.limit
            return request
        }
    }

    /// Throws if an option of `others` is used that a run under load does not have.
    func check(beside others: [(option: String, isUsed: Bool)]) throws {
        guard underLoad, let used = others.first(where: \.isUsed) else { return }
        throw Failure.usage("\(used.option) cannot be combined with --under-load; leave out one")
    }
}

extension LineLoad {
    /// A sentence about the bytes, before the first packet.
    fileprivate var places: String {
        sources.map { source in
            let direction = source.direction == .download ? "from" : "to"
            return "\(direction) \(source.address.place)"
        }.uniqued.joined(separator: ", ")
    }

    var note: String {
        "--under-load transfers at most \(limit), \(places); --load-limit changes it"
    }
}
