package import Transports

/// One query of a run and what became of it, with the messages that show it.
package struct ExchangeRecord: Sendable {
    /// The number of its round in the run; 0 of a warm-up before the first.
    package var round = 0
    package var isWarmup = false
    /// Indices into the plan's targets and questions.
    package var target = 0
    package var question = 0
    /// Its place among the queries of its round, and how many these are.
    package var position = 0
    package var queries = 0
    /// When the plan wanted it sent, in nanoseconds since 1970, and how many nanoseconds later it left, without
    /// the time to open a connection.
    package var scheduled: Int64 = 0
    package var lateness: Int64 = 0
    package var exchange: Exchange

    package init(_ exchange: Exchange) { self.exchange = exchange }
}
