import Catalogue
import SQLite
import Samples

extension Statement {
    func moment(_ column: Int32) throws(DatabaseError) -> Timestamp {
        Timestamp(nanoseconds: try integer(column))
    }

    /// The text in a column that names something, cut where it is long.
    func name(_ column: Int32) throws(DatabaseError) -> String {
        try text(column).cut(toOctets: Resolver.longestName)
    }
}
