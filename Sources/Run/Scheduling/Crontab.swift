package import Failures

/// A user's crontab. Only the lines between this program's markers are ever changed.
///
/// It consists of bytes, because other lines may not be UTF-8.
package struct Crontab: Hashable, Sendable {
    /// The content; `nil` if the user has no crontab.
    package let bytes: [UInt8]?
    package let blocks: [CrontabBlock]

    /// Reads `bytes`. Throws if the markers are damaged, because the program's own lines are then
    /// unknown.
    package init(_ bytes: [UInt8]?) throws(Failure) {
        self.bytes = bytes
        blocks = try CrontabBlock.all(in: Self.lines(of: (bytes ?? [])[...]))
    }

    package func block(named name: ScheduleName) -> CrontabBlock? {
        blocks.first { $0.heading.name == name }
    }

    /// The crontab with `entry` at the end, or instead of the entry with the same name.
    ///
    /// An equal entry changes nothing, not even the installation time.
    package func installing(_ entry: ScheduleEntry) throws(Failure) -> Crontab {
        var text = bytes ?? []
        guard let old = block(named: entry.heading.name) else {
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

    /// The crontab without the schedule `name`, as it was before the installation.
    package func removing(_ name: ScheduleName) throws(Failure) -> Crontab {
        guard let block = block(named: name), var text = bytes else { return self }
        if block.origin != .ordinary {
            // The next schedule was installed after this one, and now records the state before
            // both.
            let next = blocks.first { $0.range.lowerBound == block.range.upperBound }
            if let next, next.origin == .ordinary {
                let marker = Self.lines(of: text[next.range]).first?.content ?? text[next.range]
                text.insert(contentsOf: block.origin.rawValue.utf8, at: marker.endIndex)
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
        let number: Int
        /// The line without newline and carriage return.
        let content: ArraySlice<UInt8>
        let range: Range<Int>

        /// The text after a marker's fixed part; `nil` for other lines.
        func text(after marker: String) -> Substring? {
            guard content.starts(with: marker.utf8) else { return nil }
            return String(decoding: content.dropFirst(marker.utf8.count), as: UTF8.self)[...]
        }

        func damage(_ what: String) -> Failure {
            Failure(
                .badData,
                "line \(number) of the crontab \(what); repair it with 'crontab -e' (nothing was "
                    + "changed)"
            )
        }
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
    package let heading: ScheduleHeading
    /// The command of the entry; `nil` if the user changed the line.
    package let command: ScheduledCommand?
    /// The state before the block, which its removal restores.
    let origin: Origin
    /// The range of the block's bytes in the crontab, including its last newline.
    let range: Range<Int>

    enum Origin: String, CaseIterable {
        /// An empty crontab, or a complete line.
        case ordinary = ""
        /// A last line without its newline.
        case unendedLine = ", after a line without an end"
        case noCrontab = ", as the first of a new crontab"
    }

    private static let beginning = "# BEGIN dnstempo schedule "
    private static let ending = "# END dnstempo schedule "

    /// The schedule, if the line was not changed.
    package var entry: ScheduleEntry? {
        command.map { ScheduleEntry(heading: heading, command: $0) }
    }

    static func text(_ entry: ScheduleEntry, origin: Origin) throws(Failure) -> String {
        """
        \(beginning)\(entry.heading)\(origin.rawValue)
        \(try CronLine.text(entry))
        \(ending)\(entry.heading.name)

        """
    }

    /// The blocks of a crontab. Throws at a marker in a wrong place.
    static func all(in lines: [Crontab.Line]) throws(Failure) -> [CrontabBlock] {
        var blocks: [CrontabBlock] = []
        var open: (marker: Crontab.Line, heading: ScheduleHeading, origin: Origin)?
        var inside: [Crontab.Line] = []
        for line in lines {
            if let text = line.text(after: beginning) {
                if let open {
                    throw line.damage("begins a schedule inside '\(open.heading.name)'")
                }
                let origin = Origin.allCases.last { text.hasSuffix($0.rawValue) } ?? .ordinary
                guard let heading = ScheduleHeading(text.dropLast(origin.rawValue.count)) else {
                    throw line.damage("is not the marker that dnstempo wrote")
                }
                if blocks.contains(where: { $0.heading.name == heading.name }) {
                    throw line.damage("begins the schedule '\(heading.name)' a second time")
                }
                (open, inside) = ((line, heading, origin), [])
            } else if let name = line.text(after: ending) {
                guard let (marker, heading, origin) = open else {
                    throw line.damage("ends a schedule that does not begin")
                }
                blocks.append(
                    CrontabBlock(
                        heading: heading,
                        command: try command(of: heading, in: inside, endedBy: line, named: name),
                        origin: origin,
                        range: marker.range.lowerBound..<line.range.upperBound
                    )
                )
                open = nil
            } else {
                inside.append(line)
            }
        }
        if let (marker, heading, _) = open {
            throw marker.damage("begins the schedule '\(heading.name)', which never ends")
        }
        return blocks
    }

    private static func command(
        of heading: ScheduleHeading,
        in lines: [Crontab.Line],
        endedBy end: Crontab.Line,
        named ended: Substring
    ) throws(Failure) -> ScheduledCommand? {
        let name = heading.name
        guard ended == name.description else {
            throw end.damage("ends another schedule than '\(name)', which is open")
        }
        guard let line = lines.first else {
            throw end.damage("ends the schedule '\(name)', whose line is missing")
        }
        if lines.count > 1 {
            throw lines[1].damage("is not dnstempo's but is inside its schedule '\(name)'")
        }
        return String(validating: line.content, as: UTF8.self)
            .flatMap { CronLine.command(of: $0, at: heading.slots) }
    }
}
