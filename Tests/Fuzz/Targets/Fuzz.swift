#if DEBUG || TESTABLE
import Foundation

/// Passes inputs to one reader of the program. The inputs are files, or libFuzzer generates them.
///
///     Fuzz TARGET FILE...                  takes each file once
///     Fuzz TARGET CORPUS... OPTION...      with libFuzzer's options, where built by Scripts/fuzz
@main
enum Fuzz {
    /// All readers, by the name of their corpus.
    static let targets: [String: FuzzTarget] = {
        var targets = common
        #if QUIC
        targets["http3"] = .onLoop(HTTP3Target.take)
        targets["doq"] = .onLoop(DoQTarget.take)
        targets["quic"] = .onLoop(QUICTarget.take)
        #endif
        return targets
    }()

    private static let common: [String: FuzzTarget] = [
        "answer": .here(AnswerTarget.take),
        "stamp": .here(StampTarget.take),
        "service": .here(ServiceTarget.take),
        "settings": .here(SettingsTarget.take),
        "list": .here(ListTarget.take),
        "samples": .here(SamplesTarget.take),
        "store": .here(StoreTarget.take),
        "shipped": .here(ShippedTarget.take),
        "central-protocol": .here(CentralProtocolTarget.take),
        "central-rows": .here(CentralRowsTarget.take),
        "bundle": .here(BundleTarget.take),
        "clocks": .here(ClocksTarget.take),
        "frames": .onLoop(FramesTarget.take),
        "http1": .onLoop(HTTP1Target.take),
        "http2": .onLoop(HTTP2Target.take),
        "exchange": .onLoop(ExchangeTarget.take),
        "tls": .onLoop(TLSTarget.take),
    ]

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 1, let target = targets[arguments[1]] else {
            FileHandle.standardError.write(
                Data("usage: Fuzz \(targets.keys.sorted().joined(separator: "|")) FILE...\n".utf8)
            )
            exit(64)
        }
        // A liar's write reports an error when its client has gone.
        signal(SIGPIPE, SIG_IGN)
        #if FUZZ
        runEngine(on: target)
        #else
        for file in arguments.dropFirst(2) {
            target.take([UInt8](try Data(contentsOf: URL(fileURLWithPath: file))))
        }
        #endif
    }
}
#else
/// Does nothing, because Scripts/fuzz builds the fuzz targets with the settings that they require.
@main
enum Fuzz {
    static func main() {}
}
#endif
