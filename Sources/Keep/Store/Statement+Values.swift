import Catalogue
import SQLite
import Samples

extension Statement {
    func moment(_ column: Int32) throws(DatabaseError) -> Timestamp {
        Timestamp(nanoseconds: try integer(column))
    }

    /// The origin; `nil` for a number that is not an origin.
    func origin(_ column: Int32) throws(DatabaseError) -> Run.Origin? {
        UInt8(exactly: try integer(column)).flatMap(Run.Origin.init(rawValue:))
    }

    func marks(_ column: Int32) throws(DatabaseError) -> RoundMarks {
        RoundMarks(rawValue: UInt8(truncatingIfNeeded: try integer(column)))
    }

    /// The name in a column, cut to the maximum length.
    func name(_ column: Int32) throws(DatabaseError) -> String {
        try text(column).cut(toBytes: Resolver.longestName)
    }
}
