import SQLite
import Samples

extension Statement {
    func moment(_ column: Int32) throws(DatabaseError) -> Timestamp {
        Timestamp(nanoseconds: try integer(column))
    }

    /// The text in a column that names something, which is not long.
    func name(_ column: Int32) throws(DatabaseError) -> String {
        let text = try text(column)
        guard text.utf8.count <= 255 else { throw mismatch(column, "name of 255 octets at most") }
        return text
    }
}
