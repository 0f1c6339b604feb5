import ArgumentParser

/// What is kept.
struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "See what a store holds, check it, and add to it or prune it.",
        discussion: """
            Examples:
              dnstempo store info
              dnstempo store check
              dnstempo store import samples.csv
              dnstempo store merge laptop.sqlite --store all.sqlite
              dnstempo store prune --older-than 90d
            """,
        subcommands: [Info.self, Check.self, Merge.self, Prune.self, Import.self]
    )
}
