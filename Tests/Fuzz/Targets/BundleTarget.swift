#if DEBUG || TESTABLE
import Catalogue
import DNSWire
import Foundation
import Transports

@testable import Evidence

/// The frames of a bundle, read as exchanges over each transport. Each frame follows its length in
/// two bytes.
///
/// No time is negative or longer than the timeout. Records that were read can be written and read
/// again; further copies are equal to the first.
enum BundleTarget {
    private static let timeout = Duration.seconds(5)

    private static let endpoints = TransportKind.allCases.enumerated().compactMap { index, kind in
        IPAddress(bytes: [127, 0, 0, 1]).map {
            Endpoint(transport: kind, address: $0, port: UInt16(5301 + index))
        }
    }

    private static let source = EvidenceSource(
        endpoints: endpoints,
        questions: 3,
        keepsData: [1],
        timeout: timeout
    )

    static func take(_ input: [UInt8]) {
        var rest = input[...]
        var frames: [[UInt8]] = []
        while rest.count >= 2 {
            let count = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
            frames.append(Array(rest.dropFirst(2).prefix(count)))
            rest = rest.dropFirst(2 + count)
        }
        for record in read(frames) {
            let exchange = record.exchange
            for time in [
                exchange.roundTrip, exchange.truncated, exchange.connect, exchange.handshake,
            ].compactMap({ $0 }) where !(.zero...timeout).contains(time) {
                accuse("a time of \(time) under a timeout of \(timeout)")
            }
            guard let copy = read(written(record)).first else {
                accuse("an exchange that is read cannot be written and read again")
            }
            guard let again = read(written(copy)).first, written(again) == written(copy),
                "\(again.exchange.result)" == "\(copy.exchange.result)",
                again.exchange.roundTrip == copy.exchange.roundTrip,
                again.exchange.strays == copy.exchange.strays
            else { accuse("an exchange that is written is another when it is read") }
        }
    }

    /// Returns the exchanges up to the first frame that is not evidence.
    private static func read(_ frames: [[UInt8]]) -> [ExchangeRecord] {
        var reader = ExchangeReader(source, file: "x")
        var records: [ExchangeRecord] = []
        do {
            for frame in frames {
                if let record = try reader.take(frame) { records.append(record) }
            }
            if let record = try reader.end() { records.append(record) }
        } catch {}
        return records
    }

    private static func written(_ record: ExchangeRecord) -> [[UInt8]] {
        let source = FrameSource(identity: "", version: "", endpoints: endpoints)
        let transport = endpoints[record.target].transport
        return ExchangeOnFile(record, over: transport).frames(from: source)
    }
}
#endif
