import DNSWire
import SQLite
import Samples

/// A checksum of all added values, in their order. SQLite detects a damaged page; this checksum detects a
/// changed value.
struct Checksum: Hashable {
    private(set) var state: UInt64

    init(_ state: UInt64 = 0x9e37_79b9_7f4a_7c15) { self.state = state }

    /// The checksum as a column stores it.
    var value: Int64 { Int64(bitPattern: state) }

    mutating func add(_ number: Int64?) {
        // The word for an absent number is unlikely to be a number.
        let word = number.map { UInt64(bitPattern: $0) } ?? 0x5bd1_e995_2545_f491
        state = (state ^ word) &* 0xff51_afd7_ed55_8ccd
        state ^= state >> 32
    }

    mutating func add(integers: [Int64?]) {
        for integer in integers { add(integer) }
    }

    /// The checksum of a row's columns: 64-bit integers, floating-point numbers, texts and blobs.
    static func value(of values: [(any StatementBinding)?]) -> Int64 {
        var checksum = Checksum()
        for value in values {
            switch value {
            case let value as Int64: checksum.add(value)
            case let value as Double: checksum.add(value)
            case let value as String: checksum.add(value)
            case let value as Blob: checksum.add(value.bytes)
            default: checksum.add(nil as Int64?)
            }
        }
        return checksum.value
    }

    mutating func add(_ number: Double?) { add(number.map { Int64(bitPattern: $0.bitPattern) }) }

    mutating func add(_ bytes: some Sequence<UInt8>) {
        var count: Int64 = 0
        for byte in bytes {
            add(Int64(byte))
            count += 1
        }
        add(count)
    }

    mutating func add(_ text: String?) {
        guard let text else { return add(nil as Int64?) }
        add(text.utf8)
    }

    /// Adds all stored values of a sample.
    mutating func add(_ observation: Observation, probe: Int64, scheduled: Timestamp) {
        add(probe)
        add(scheduled.nanoseconds)
        add(observation.sent?.nanoseconds)
        add(observation.lateness)
        add(observation.roundTrip)
        add(observation.packed)
        add(observation.ttl.map(Int64.init))
        add(observation.answers.map(Int64.init))
        add(observation.size.map(Int64.init))
        guard let extras = observation.extras else { return add(nil as Int64?) }
        add(extras.connect)
        add(extras.handshake)
        add(extras.udp)
        add(extras.site)
        add(extras.extendedErrors)
        add(extras.connection.map { Int64($0.rawValue) })
        add(extras.detail?.description)
        // Flags that the detail states are not added. Rows from before there were flags keep their checksum.
        let flags = extras.flags.symmetricDifference(SampleFlags(detail: extras.detail))
        if !flags.isEmpty { add(Int64(flags.rawValue)) }
        if let cause = extras.cause {
            add(integers: [nil, nil, nil, nil])
            add(cause.description)
        }
        // The leading `nil` distinguishes these values from flags, which are small numbers.
        if let edge = extras.edge { add(integers: [nil, edge]) }
        if let networkRTT = extras.networkRTT { add(integers: [nil, nil, networkRTT]) }
        if let warmup = extras.warmup {
            add(integers: [
                nil, nil, nil, Int64(warmup.hits), Int64(warmup.misses), warmup.missTime,
            ])
        }
        if let packets = extras.packets {
            add(integers: [
                nil, nil, nil, nil, nil, Int64(packets.bytesOut), Int64(packets.bytesIn),
                Int64(packets.packets),
            ])
        }
    }
}
