package import Failures

/// A user's crontab, of which only the lines between our own markers are ever changed.
///
/// Bytes rather than text, since others may have written what is not UTF-8.
package struct Crontab: Hashable, Sendable {
    /// `nil` where there is none.
    package let bytes: [UInt8]?
    package let blocks: [CrontabBlock]

    /// Reads `bytes`; throws where the markers are damaged, since then nobody knows what is ours.
    package init(_ bytes: [UInt8]?) throws(Failure) {
        self.bytes = bytes
        blocks = try CrontabBlock.all(in: Self.lines(of: (bytes ?? [])[...]))
    }

    package func block(named name: ScheduleName) -> CrontabBlock? {
        blocks.first { $0.heading.name == name }
    }

    /// With `entry` at the end, or in the place of the one that has its name.
    ///
    /// The same entry again changes nothing, not even the time of its installation.
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

    /// Without the schedule `name`, and as it was before that was installed.
    package func removing(_ name: ScheduleName) throws(Failure) -> Crontab {
        guard let block = block(named: name), var text = bytes else { return self }
        if block.origin != .ordinary {
            // Our next schedule came after this one: what was there before is now its to know.
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
        /// Without newline and carriage return.
        let content: ArraySlice<UInt8>
        let range: Range<Int>

        /// The text behind a marker's fixed part; `nil` for other lines.
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
        case unendedLine = ", after a line without an end"
        case noCrontab = ", as the first of a new crontab"
    }

    private static let beginning = "# BEGIN dnstempo schedule "
    private static let ending = "# END dnstempo schedule "

    /// The schedule, where the line is as it was written.
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

    /// The blocks of a crontab; throws at a marker that does not belong where it stands.
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
            throw lines[1].damage("is not dnstempo's but stands in its schedule '\(name)'")
        }
        return String(validating: line.content, as: UTF8.self)
            .flatMap { CronLine.command(of: $0, every: heading.interval) }
    }
}
