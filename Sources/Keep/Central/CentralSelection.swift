import Store

/// A selection of rows of a table, named `own`. The rows belong to the place with the number `place.id`.
struct CentralSelection {
    /// The table whose columns the rows have.
    let table: StoredTable
    private var from: String
    /// The condition in addition to the place's number. Its parameters begin with $2.
    var condition = "true"
    private var columns: [String]
    private var samples = "0"
    private var isBad = "false"

    /// The latest version of each round of the place, with the place's progress.
    static let rounds = """
        dnstempo.shipped JOIN dnstempo.current AS own ON own.source = shipped.source
        """

    /// The number of samples of a round, limited by the length of its data: a sample has at least one byte.
    static let credibleSamples = """
        CASE WHEN octet_length(own.data) <= \(longestData) THEN
            least(greatest(own.samples, 0), octet_length(own.data)) ELSE 0 END
        """

    /// The maximum length of the samples of a round, in bytes.
    private static let longestData = """
        (64 + least(greatest(own.samples, 0), \(StoreLimits.mostSamples)) \
        * \(StoreMirror.longestSample))
        """

    /// Selects rows of a table, or of `other`, which has the same columns.
    init(of table: StoredTable, in other: StoredTable? = nil) {
        self.table = table
        from = "\((other ?? table).place) AS own"
        columns = table.columnNames.map { "own.\($0)" }
    }

    /// Selects rounds by a condition. The last column contains the samples where `withSamples` is true.
    init(ofRounds table: StoredTable, _ condition: String, withSamples: String) {
        self.init(of: table)
        from = Self.rounds
        self.condition = condition
        columns[columns.count - 1] = "CASE WHEN \(withSamples) THEN own.data END"
        samples = "CASE WHEN \(withSamples) THEN \(Self.credibleSamples) ELSE 0 END"
        isBad = "(\(withSamples)) AND octet_length(own.data) > \(Self.longestData)"
    }

    /// The memory of a value in addition to its text or data, in bytes.
    private static let costOfValue = 20

    private var rows: String { "\(from) WHERE own.source = place.id AND (\(condition))" }

    /// The statement for the sizes of this selection, with one row per place that has rows. Its columns are
    /// the number of the selection, the place, and the size. The number of samples, of rounds whose data are
    /// too long for their samples, and of rows follow. The server examines only as many rows as a reader takes.
    func sizes(as number: Int) -> String {
        let fixed = Self.costOfValue * columns.count
        let lengths = zip(columns, table.columns).filter { $1.kind == .text || $1.kind == .blob }
            .map { "coalesce(octet_length(\($0.0)), 0)::int8" }
        let bytes = (["\(fixed)::int8"] + lengths).joined(separator: " + ")
        return """
            SELECT \(number)::int8, place.id, bytes, samples, bad, rows
            FROM unnest($1) AS place (id), LATERAL (
                SELECT count(*) AS rows, sum(bytes)::int8 AS bytes,
                    coalesce(sum(samples), 0)::int8 AS samples,
                    count(*) FILTER (WHERE bad) AS bad
                FROM (
                    SELECT \(bytes) AS bytes, \(samples) AS samples, \(isBad) AS bad
                    FROM \(rows) LIMIT \(CentralBudget.bytesOfPlace / Int64(fixed) + 1)
                ) AS part
            ) AS size WHERE rows > 0
            """
    }

    /// The statement for the rows, sorted by place and key. The first column is the place's number.
    var statement: String {
        let key = table.key.map { "own.\"\($0)\"" }.joined(separator: ", ")
        return """
            SELECT place.id, \(columns.joined(separator: ", "))
            FROM unnest($1) AS place (id), \(rows) ORDER BY place.id, \(key)
            """
    }
}

/// The rows of some places. Places whose rows cannot be read are left out.
struct CentralPlaceRows {
    let central: CentralConnection
    private(set) var places: [CentralHistory.Place]
    private(set) var unread: [UnreadPlace] = []
    private var budget = CentralBudget()

    init(of places: [CentralHistory.Place], _ central: CentralConnection) {
        self.places = places
        self.central = central
        for place in places {
            if let fault = place.fault { leaveOut(UnreadPlace(place, fault)) }
        }
    }

    static func sources(_ places: [CentralHistory.Place]) -> CentralValue {
        .list(.integer, places.map { .integer(Int64($0.source)) })
    }

    private mutating func leaveOut(_ place: UnreadPlace) {
        places.removeAll { $0.source == place.source }
        unread.append(place)
    }

    /// Runs `body` on a place. If `body` throws, the place is left out.
    mutating func attempt(_ place: CentralHistory.Place, _ body: () throws -> Void) {
        do { try body() } catch let error as UnreadPlace {
            leaveOut(error)
        } catch {
            leaveOut(UnreadPlace(place, (error as? StoreError)?.damage ?? "\(error)"))
        }
    }

    /// Passes the rows of each place to `body` in parts, after checking that their sizes are within the
    /// limits. Call it in a transaction.
    mutating func read(
        _ selections: [CentralSelection],
        _ values: [CentralValue] = [],
        _ body: (CentralHistory.Place, StoredTable, [StoredRow]) throws -> Void
    ) throws {
        let sizes = try sizes(of: selections, values)
        for (selection, sizes) in zip(selections, sizes) {
            for part in parts(sizes) {
                let size = part.reduce(into: CentralBudget.Size()) { sum, place in
                    let size = sizes[Int64(place.source)] ?? .init()
                    sum.rows += size.rows
                    sum.bytes += size.bytes
                }
                let rowsAtOnce = size.rows * CentralBudget.bytesAtOnce / max(size.bytes, 1)
                try central.forEachPart(
                    of: selection.statement,
                    [Self.sources(part)] + values,
                    rows: size.bytes <= CentralBudget.bytesAtOnce ? nil : max(1, rowsAtOnce)
                ) { found in
                    for (source, rows) in found.rangesOfSources {
                        guard let place = places.first(where: { Int64($0.source) == source })
                        else { continue }
                        let rows = try found.rows(rows, of: selection.table)
                        attempt(place) { try body(place, selection.table, rows) }
                    }
                }
            }
        }
    }

    private typealias Sizes = [Int64: CentralBudget.Size]

    /// The sizes of the rows of each selection, by place. Places that exceed the limits are left out first.
    private mutating func sizes(
        of selections: [CentralSelection],
        _ values: [CentralValue]
    ) throws -> [Sizes] {
        guard !places.isEmpty else { return [] }
        let statements = selections.enumerated().map { $1.sizes(as: $0) }
        let found = try central.query(
            statements.joined(separator: " UNION ALL "),
            [Self.sources(places)] + values
        )
        var sizes = [Sizes](repeating: [:], count: selections.count)
        var bad: Set<Int64> = []
        let most: Int64 = 1 << 50
        for row in 0..<found.count {
            guard let number = found.integer(row, 0), sizes.indices.contains(Int(number)),
                let source = found.integer(row, 1)
            else { continue }
            sizes[Int(number)][source] = CentralBudget.Size(
                rows: min(max(0, found.integer(row, 5) ?? 0), CentralBudget.mostRows),
                bytes: min(max(0, found.integer(row, 2) ?? most), most),
                samples: min(max(0, found.integer(row, 3) ?? most), most)
            )
            if found.integer(row, 4) != 0 { bad.insert(source) }
        }
        for place in places where bad.contains(Int64(place.source)) {
            leaveOut(UnreadPlace(place, "the samples of a round are not as they were packed"))
        }
        let isRead = Set(places.map { Int64($0.source) })
        for index in sizes.indices {
            sizes[index] = sizes[index].filter { isRead.contains($0.key) }
        }
        let reasons = budget.add(sizes)
        for place in places {
            guard let reason = reasons[Int64(place.source)] else { continue }
            leaveOut(UnreadPlace(place, reason, isExcessive: true))
        }
        return sizes
    }

    /// The places that have rows, in groups that are in memory at the same time.
    private func parts(_ sizes: Sizes) -> [[CentralHistory.Place]] {
        var parts: [[CentralHistory.Place]] = []
        var bytes = Int64.max
        for place in places {
            guard let size = sizes[Int64(place.source)] else { continue }
            if bytes > CentralBudget.bytesAtOnce - min(size.bytes, CentralBudget.bytesAtOnce) {
                parts.append([])
                bytes = 0
            }
            parts[parts.count - 1].append(place)
            bytes += size.bytes
        }
        return parts
    }
}
