import ArgumentParser
import Catalogue
import Failures
import Load
import Processes
import Runs

struct LoadPeerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load-peer",
        abstract: "Serve the other end of a load, for compare --under-load.",
        discussion: """
            Sends and receives data without meaning over HTTP, until Ctrl-C. Run it on a machine \
            beyond your line, and name it with compare --under-load --load-peer HOST:PORT. \
            Everybody who reaches the port can load this machine's line, up to --limit.

            Examples:
              dnstempo load-peer
              dnstempo load-peer --listen 0.0.0.0 --port 8054 --limit 20GB
            """
    )

    @Option(help: "Address to listen on. (default: 127.0.0.1)".naming("address"))
    var listen = "127.0.0.1"

    @Option(help: "Port to listen on; 0 for any free port.".naming("port"))
    var port = LoadPeer.usualPort

    @Option(help: "Refuse requests after this number of bytes. (default: 10GB)".naming("bytes"))
    var limit = "10GB"

    @OptionGroup var reach: ReachOption

    func run() async throws {
        guard let address = IPAddress(listen) else {
            throw Failure.usage("--listen '\(listen)': give an address of this machine, or 0.0.0.0")
        }
        guard let limit = try ByteCount.read(limit, of: "--limit") else { return }
        let allowed = try reach.allowed(UserConfiguration.current())
        let peer = LoadPeer(at: address, port: port, for: allowed, limit: limit)
        let serving = await Signals.whileRunning {
            Task {
                try await peer.run { place in
                    Terminal.mention(
                        "load-peer on \(place): compare --under-load --load-peer \(place); Ctrl-C ends it"
                    )
                }
            }
        }
        let used = try await serving.value
        Terminal.mention("\(used) were transferred")
        if Signals.haveInterrupted { throw Failure(.interrupted, "") }
    }
}
