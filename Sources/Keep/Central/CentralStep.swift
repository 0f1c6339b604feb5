/// A part of a central store, with the statements that create it. A part that exists is not changed, because
/// each change of a table takes a lock that waits for the transactions of all places.
struct CentralStep {
    /// An SQL condition on the catalogue: true if nothing is left to do, otherwise false or NULL.
    let isDone: String
    let statements: [String]

    init(unless isDone: String, _ statements: [String]) {
        (self.isDone, self.statements) = (isDone, statements)
    }

    /// Creates a step for an object that its statements replace as a whole. A comment on the object records
    /// the version.
    ///
    /// - Parameters:
    ///   - kind: The object's kind and name, as in COMMENT.
    ///   - place: An SQL expression for the object's number.
    ///   - catalogue: The catalogue that has the object.
    ///   - statements: The statements that create or replace the object.
    init(_ kind: String, at place: String, in catalogue: String, _ statements: [String]) {
        let version = Self.version(of: statements)
        self.init(
            unless: Self.has(version, at: place, in: catalogue),
            statements + ["COMMENT ON \(kind) IS '\(version)'"]
        )
    }

    static func has(_ version: String, at place: String, in catalogue: String) -> String {
        "obj_description(\(place), '\(catalogue)') = '\(version)'"
    }

    /// A comment that changes with the statements: their 64-bit FNV-1a hash.
    static func version(of statements: [String]) -> String {
        let bytes = statements.joined(separator: "\n").utf8
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        return "dnstempo \(String(hash, radix: 16))"
    }
}

extension [CentralStep] {
    /// Runs the steps that are not done, in their order.
    func run(on connection: CentralConnection) throws {
        let rows = enumerated().map { "(\($0)::bigint, (\($1.isDone)))" }
        let found = try connection.query(
            """
            SELECT number FROM (VALUES \(rows.joined(separator: ", "))) AS step (number, is_done)
            WHERE is_done IS NOT TRUE ORDER BY number
            """
        )
        for row in 0..<found.count {
            guard let number = found.integer(row, 0).flatMap({ Int(exactly: $0) }),
                indices.contains(number)
            else { throw CentralError.strange(connection.place) }
            for statement in self[number].statements { try connection.query(statement) }
        }
    }
}
