import ArgumentParser

/// Whether somebody looks on while it is measured.
struct LiveOptions: ParsableArguments {
    /// How a run is shown while it is under way.
    enum Kind {
        case none
        /// A table that is drawn over and over.
        case table
        /// A line a round.
        case lines
    }

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            """
            Show a table that grows while it is measured; without a terminal for it a line a round. \
            (default: on a terminal)
            """
        )
    )
    var live: Bool?

    /// On standard error, so that standard output carries nothing but data.
    func kind(quiet: Bool) throws(Failure) -> Kind {
        if quiet, live == true {
            throw Failure(.usage, "--live and --quiet exclude each other: leave one out")
        }
        if quiet || live == false { return .none }
        if Terminal.error.isTerminal, Environment["TERM"] != "dumb" { return .table }
        return live == true ? .lines : .none
    }
}
