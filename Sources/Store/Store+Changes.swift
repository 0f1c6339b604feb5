import GRDB

extension Store {
    /// A number that is another once somebody else has written into the store; only numbers of one
    /// opened store can be compared.
    package func changeCounter() throws(StoreError) -> Int {
        try withoutTransaction { try $0.count("PRAGMA data_version") }
    }
}
