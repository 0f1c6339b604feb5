/// A connection that carries queries to one resolver, whatever protocols it is made of.
@EventLoopActor
protocol QueryConnection: AnyObject {
    /// What a later connection can go on with.
    associatedtype Ticket

    /// Whether another query may be put on it.
    var takesMore: Bool { get }
    /// Where the other end has given one.
    var ticket: Ticket? { get }
    /// What may be read of it in one turn, once it stands.
    var budget: ReadBudget? { get }

    /// Takes in what has come: the other end may have closed it while nobody asked.
    func refresh()
    /// Sends `query` now, or once the connection is open.
    func submit(_ query: StreamQuery)
    /// Gives up `query`, whose answer is waited for no longer.
    func leave(_ query: StreamQuery)
    /// Takes no more queries, and closes once those on it have ended.
    func retire()
    /// Ends in good order; whoever still waits is told.
    func close()
}
