/// The lines of a crontab that belong to one schedule: a marker, an entry, a marker.
package struct CrontabBlock: Hashable, Sendable {
    package let name: ScheduleName
    package let interval: ScheduleInterval
    /// As it was written at the installation.
    package let installed: String
    /// What the entry runs; `nil` where someone changed the line.
    package let command: ScheduledCommand?
    /// What stood there before the block, which its removal brings back.
    let origin: Origin
    /// The block's bytes in the crontab, its last newline with them.
    let range: Range<Int>

    enum Origin: String, CaseIterable {
        /// Nothing, or a line that was ended.
        case ordinary = ""
        /// A last line without its newline.
        case unendedLine = "after a line without an end"
        /// No crontab at all.
        case noCrontab = "as the first of a new crontab"
    }

    static let beginning = "# BEGIN dnstempo schedule "
    static let ending = "# END dnstempo schedule "

    /// The schedule, where the line is as it was written.
    package var entry: ScheduleEntry? {
        command.map {
            ScheduleEntry(name: name, interval: interval, command: $0, installed: installed)
        }
    }

    /// The three lines of a block.
    static func text(_ entry: ScheduleEntry, origin: Origin) throws(ScheduleError) -> String {
        let note = origin == .ordinary ? "" : ", \(origin.rawValue)"
        return """
            \(beginning)\(entry.heading)\(note)
            \(try CronLine.text(entry))
            \(ending)\(entry.name)

            """
    }
}
