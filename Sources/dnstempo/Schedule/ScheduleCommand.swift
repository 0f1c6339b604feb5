import ArgumentParser

/// Rounds taken on a schedule by cron or systemd.
struct ScheduleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule",
        abstract: "Take a round every so often, by cron or systemd.",
        discussion: """
            Of the crontab, only the lines between dnstempo's own markers are ever changed.

            Examples:
              dnstempo schedule install --every 5m
              dnstempo schedule install --name office quad9 --splay 1m
              dnstempo schedule install --every 1h --systemd
              dnstempo schedule status
              dnstempo schedule remove --name office
              dnstempo schedule print --every 5m --launchd
            """,
        subcommands: [Install.self, Status.self, Remove.self, Print.self]
    )
}
