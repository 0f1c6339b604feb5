/// The connections that carried one resolver's answers, and the times to open them, in a small space.
///
/// The sums of parts can be merged into the sums of the whole. Times are in milliseconds.
package struct ConnectionSums: Hashable, Sendable {
    /// A part of the time from the beginning of a connection to its first answer.
    package enum Part: Int, Hashable, Sendable, CaseIterable {
        case connect, handshake, query
        /// The whole time: connect, handshake and query.
        case whole
    }

    /// One sketch per ``Part``. Empty until a connection is opened, because most resolvers have none.
    private var sketches: [LatencySketch] = []
    /// The number of answers per use of a connection. The caller assigns the numbers of the uses.
    package private(set) var uses: [UInt8: Int] = [:]
    /// The number of answers over connections whose server was not authenticated.
    package private(set) var unverified = 0

    package init() {}

    package var isEmpty: Bool { sketches.isEmpty && uses.isEmpty && unverified == 0 }

    /// The times of a part.
    package func times(of part: Part) -> LatencySketch {
        sketches.isEmpty ? LatencySketch() : sketches[part.rawValue]
    }

    /// Counts a query with the times to open its connection. `connect` is `nil` if connecting is part of the
    /// handshake.
    ///
    /// `isOpening` is false for a query that found the connection open. It does not count towards
    /// ``Part/whole``.
    package mutating func insert(
        connect: Double?,
        handshake: Double,
        query: Double,
        isOpening: Bool = true
    ) {
        if let connect { insert(connect, of: .connect) }
        insert(handshake, of: .handshake)
        insert(query, of: .query)
        if isOpening { insert((connect ?? 0) + handshake + query, of: .whole) }
    }

    private mutating func insert(_ time: Double, of part: Part) {
        makeRoom()
        sketches[part.rawValue].insert(time)
    }

    private mutating func makeRoom() {
        if sketches.isEmpty { sketches = Part.allCases.map { _ in LatencySketch() } }
    }

    /// Counts answers with this use of the connection.
    package mutating func count(use: UInt8, times: Int = 1) {
        guard times > 0 else { return }
        uses[use] = LatencySketch.sum(uses[use] ?? 0, times)
    }

    package mutating func count(unverified times: Int) {
        unverified = LatencySketch.sum(unverified, times)
    }

    /// Adds times of a part from another sketch.
    package mutating func merge(_ times: LatencySketch, of part: Part) {
        guard times.count > 0 else { return }
        makeRoom()
        sketches[part.rawValue].merge(times)
    }

    package mutating func merge(_ other: ConnectionSums) {
        guard !other.isEmpty else { return }
        for part in Part.allCases { merge(other.times(of: part), of: part) }
        for (use, times) in other.uses { count(use: use, times: times) }
        count(unverified: other.unverified)
    }
}
