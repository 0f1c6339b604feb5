/// A user's crontab, of which only the lines between our own markers are ever changed.
///
/// Bytes rather than text, since others may have written what is not UTF-8.
package struct Crontab: Hashable, Sendable {
    /// `nil` where there is none.
    package let bytes: [UInt8]?
    /// Our schedules, in the order in which they stand.
    package let blocks: [CrontabBlock]

    /// Reads `bytes`; throws where the markers are damaged, since then nobody knows what is ours.
    package init(_ bytes: [UInt8]?) throws(ScheduleError) {
        self.bytes = bytes
        var reader = CrontabReader()
        for line in Self.lines(of: (bytes ?? [])[...]) { try reader.read(line) }
        blocks = try reader.finish()
    }

    package func block(named name: ScheduleName) -> CrontabBlock? {
        blocks.first { $0.name == name }
    }

    /// With `entry` at the end, or in the place of the one that has its name.
    ///
    /// The same entry again changes nothing, not even the time of its installation.
    package func installing(_ entry: ScheduleEntry) throws(ScheduleError) -> Crontab {
        var text = bytes ?? []
        guard let old = block(named: entry.name) else {
            var origin = CrontabBlock.Origin.ordinary
            if bytes == nil { origin = .noCrontab }
            if let last = text.last, last != UInt8(ascii: "\n") {
                origin = .unendedLine
                text.append(UInt8(ascii: "\n"))
            }
            text += try CrontabBlock.text(entry, origin: origin).utf8
            return try Crontab(text)
        }
        if let current = old.entry, current.isSame(as: entry) { return self }
        text.replaceSubrange(old.range, with: try CrontabBlock.text(entry, origin: old.origin).utf8)
        return try Crontab(text)
    }

    /// Without the schedule `name`, and as it was before that was installed.
    package func removing(_ name: ScheduleName) throws(ScheduleError) -> Crontab {
        guard let block = block(named: name), var text = bytes else { return self }
        if block.origin != .ordinary {
            // Our next schedule came after this one: what was there before is now its to know.
            let next = blocks.first { $0.range.lowerBound == block.range.upperBound }
            if let next, next.origin == .ordinary {
                let marker = Self.lines(of: text[next.range]).first?.content ?? text[next.range]
                text.insert(contentsOf: ", \(block.origin.rawValue)".utf8, at: marker.endIndex)
            }
        }
        text.removeSubrange(block.range)
        let isLast = block.range.lowerBound == text.endIndex
        if isLast, block.origin == .unendedLine, text.last == UInt8(ascii: "\n") {
            text.removeLast()
        }
        return try Crontab(text.isEmpty && block.origin == .noCrontab ? nil : text)
    }

    struct Line {
        /// Counted from 1.
        let number: Int
        /// Without newline and carriage return.
        let content: ArraySlice<UInt8>
        let range: Range<Int>
    }

    private static func lines(of bytes: ArraySlice<UInt8>) -> [Line] {
        var lines: [Line] = []
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let newline = bytes[start...].firstIndex(of: UInt8(ascii: "\n"))
            let end = newline.map { $0 + 1 } ?? bytes.endIndex
            var content = bytes[start..<(newline ?? end)]
            if content.last == UInt8(ascii: "\r") { content.removeLast() }
            lines.append(Line(number: lines.count + 1, content: content, range: start..<end))
            start = end
        }
        return lines
    }
}

/// The lines of a crontab that belong to one schedule: a marker, an entry, a marker.
package struct CrontabBlock: Hashable, Sendable {
    package let name: ScheduleName
    package let interval: ScheduleInterval
    /// As it was written at the installation.
    package let installed: String
    /// The command of the entry; `nil` where someone changed the line.
    package let command: ScheduledCommand?
    /// The state before the block, which its removal brings back.
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
            if let open { throw damage(line, "begins a schedule inside '\(open.heading.name)'") }
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
    /// The text behind a marker's fixed part; `nil` for other lines.
    fileprivate func text(after marker: String) -> String? {
        guard content.starts(with: marker.utf8) else { return nil }
        return String(decoding: content.dropFirst(marker.utf8.count), as: UTF8.self)
    }
}
