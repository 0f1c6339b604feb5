import Catalogue
import SQLite
import Samples

extension Statement {
    func moment(_ column: Int32) throws(DatabaseError) -> Timestamp {
        Timestamp(nanoseconds: try integer(column))
    }

    /// `nil` for a number of none.
    func origin(_ column: Int32) throws(DatabaseError) -> Run.Origin? {
        UInt8(exactly: try integer(column)).flatMap(Run.Origin.init(rawValue:))
    }

    func marks(_ column: Int32) throws(DatabaseError) -> RoundMarks {
        RoundMarks(rawValue: UInt8(truncatingIfNeeded: try integer(column)))
    }

    /// The text in a column that names something, cut where it is long.
    func name(_ column: Int32) throws(DatabaseError) -> String {
        try text(column).cut(toOctets: Resolver.longestName)
    }
}
