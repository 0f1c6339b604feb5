package import Transports

/// One query of a run and its result, with the messages that prove it.
package struct ExchangeRecord: Sendable {
    /// The number of the round within the run; 0 for a warm-up before the first round.
    package var round = 0
    package var isWarmup = false
    /// Indices into the plan's targets and questions.
    package var target = 0
    package var question = 0
    /// The position of the query within its round, and the number of queries of the round.
    package var position = 0
    package var queries = 0
    /// The planned sending time in nanoseconds since 1970, and the delay in nanoseconds until the query left.
    /// The delay excludes the time to open a connection.
    package var scheduled: Int64 = 0
    package var lateness: Int64 = 0
    package var exchange: Exchange

    package init(_ exchange: Exchange) { self.exchange = exchange }
}
