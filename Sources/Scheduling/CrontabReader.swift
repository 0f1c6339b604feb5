/// Finds our blocks, line by line.
struct CrontabReader {
    private struct Open {
        let heading: ScheduleHeading
        let origin: CrontabBlock.Origin
        let start: Crontab.Line
        var entries: [Crontab.Line] = []
    }

    private var blocks: [CrontabBlock] = []
    private var open: Open?

    /// Takes the next line; throws at a marker that does not belong there.
    mutating func read(_ line: Crontab.Line) throws(ScheduleError) {
        if let text = line.text(after: CrontabBlock.beginning) {
            if let open {
                throw damage(line, "begins a schedule inside '\(open.heading.name)'")
            }
            try begin(text, line)
        } else if let text = line.text(after: CrontabBlock.ending) {
            try end(text, line)
        } else {
            open?.entries.append(line)
        }
    }

    /// The blocks, once all lines are read.
    func finish() throws(ScheduleError) -> [CrontabBlock] {
        if let open {
            throw damage(open.start, "begins the schedule '\(open.heading.name)', which never ends")
        }
        return blocks
    }

    private mutating func begin(_ text: String, _ line: Crontab.Line) throws(ScheduleError) {
        guard let heading = ScheduleHeading(text),
            let origin = CrontabBlock.Origin(rawValue: heading.rest)
        else { throw damage(line, "is not the marker that dnstempo wrote") }
        if blocks.contains(where: { $0.name == heading.name }) {
            throw damage(line, "begins the schedule '\(heading.name)' a second time")
        }
        open = Open(heading: heading, origin: origin, start: line)
    }

    private mutating func end(_ text: String, _ line: Crontab.Line) throws(ScheduleError) {
        guard let open else { throw damage(line, "ends a schedule that does not begin") }
        let heading = open.heading
        guard text == heading.name.description else {
            throw damage(line, "ends another schedule than '\(heading.name)', which is open")
        }
        guard let entry = open.entries.first, open.entries.count == 1 else {
            let place = open.entries.dropFirst().first ?? line
            throw damage(
                place,
                open.entries.isEmpty
                    ? "ends the schedule '\(heading.name)', whose line is missing"
                    : "is not dnstempo's but stands in its schedule '\(heading.name)'"
            )
        }
        blocks.append(
            CrontabBlock(
                name: heading.name,
                interval: heading.interval,
                installed: heading.installed,
                command: String(validating: entry.content, as: UTF8.self)
                    .flatMap { CronLine.command(of: $0, every: heading.interval) },
                origin: open.origin,
                range: open.start.range.lowerBound..<line.range.upperBound
            )
        )
        self.open = nil
    }

    private func damage(_ line: Crontab.Line, _ what: String) -> ScheduleError {
        ScheduleError(
            .damaged,
            "line \(line.number) of the crontab \(what); repair it with 'crontab -e' (nothing was "
                + "changed)"
        )
    }
}

extension Crontab.Line {
    /// What stands behind a marker's fixed part; `nil` for other lines.
    fileprivate func text(after marker: String) -> String? {
        guard content.starts(with: marker.utf8) else { return nil }
        return String(decoding: content.dropFirst(marker.utf8.count), as: UTF8.self)
    }
}
