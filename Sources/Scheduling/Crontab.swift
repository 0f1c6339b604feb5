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
                text.insert(
                    contentsOf: ", \(block.origin.rawValue)".utf8,
                    at: marker.endIndex
                )
            }
        }
        text.removeSubrange(block.range)
        let isLast = block.range.lowerBound == text.endIndex
        if isLast, block.origin == .unendedLine, text.last == UInt8(ascii: "\n") {
            text.removeLast()
        }
        return try Crontab(text.isEmpty && block.origin == .noCrontab ? nil : text)
    }

    /// One line of a crontab.
    struct Line {
        /// Counted from 1.
        let number: Int
        /// Without newline and carriage return.
        let content: ArraySlice<UInt8>
        /// With them.
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
