import Samples

/// How the connection of a sample was used, and the sample's flags, packed into one integer; `nil`
/// where there is nothing to tell.
struct ConnectionState {
    var use: ConnectionUse?
    var flags: SampleFlags

    /// Stands for no ``use``.
    static let noUse: Int64 = 4

    init(_ extras: Observation.Extras) {
        use = extras.connection
        flags = extras.flags
    }

    /// Reads what ``packed`` gave.
    init(packed: Int64?) {
        let packed = packed ?? Self.noUse
        use = ConnectionUse(rawValue: UInt8(packed & 7))
        flags = SampleFlags(rawValue: UInt8(truncatingIfNeeded: packed >> 3))
    }

    var packed: Int64? {
        guard use != nil || !flags.isEmpty else { return nil }
        return (use.map { Int64($0.rawValue) } ?? Self.noUse) | Self.packed(flags)
    }

    /// The part of ``packed`` that has the flags.
    static func packed(_ flags: SampleFlags) -> Int64 { Int64(flags.rawValue) << 3 }
}
