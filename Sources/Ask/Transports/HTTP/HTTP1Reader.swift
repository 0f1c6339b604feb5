/// Reads the consecutive answers of an HTTP/1.1 connection (RFC 9112), in pieces of any size.
///
/// Any syntax error ends the connection. After an error, the end of the answer and the start of the next one
/// are unknown.
struct HTTP1Reader {
    enum Event: Equatable {
        case field(HTTPField)
        case content([UInt8])
        /// The answer is complete. The value states whether another may follow on the connection.
        case end(staysOpen: Bool)
        /// The header exceeds a limit, which the text names.
        case excess(String)
    }

    /// The reason, as text, why nothing more can be read.
    struct Fault: Error, Hashable {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    private enum Part {
        case status, header
        /// The number of content bytes that are still missing.
        case content(Int)
        case chunkSize
        /// The number of chunk bytes that are still missing.
        case chunk(Int)
        case chunkEnd, trailer
        /// The content ends with the connection (RFC 9112 §6.3).
        case rest
    }

    private var part = Part.status
    /// The bytes of an incomplete line.
    private var line: [UInt8] = []
    /// The size of one answer's headers, including its interim answers and its trailer.
    private var header = HTTPHeaderCount()
    private var status = 0
    private var length: Int?
    private var isChunked = false
    private var staysOpen = true
    /// The number of bytes in the lines that contain chunk sizes.
    private var chunkBytes = 0

    private static let longestLine = 8_192
    /// The limit allows a complete message in chunks of a few bytes each, and no more.
    private static let mostChunkBytes = 262_144

    /// Whether an answer is incomplete.
    var isInside: Bool {
        if case .status = part { return !line.isEmpty }
        return true
    }

    /// Reads bytes up to the end of one answer at most. Returns the events and the number of bytes read.
    mutating func take(_ bytes: some Collection<UInt8>) throws(Fault) -> (
        events: [Event], count: Int
    ) {
        var rest = Array(bytes)[...]
        var events: [Event] = []
        while !rest.isEmpty {
            switch part {
            case .content(let left):
                let piece = rest.prefix(left)
                rest = rest.dropFirst(piece.count)
                events.append(.content(Array(piece)))
                part = .content(left - piece.count)
                if piece.count == left { events.append(end()) }
            case .chunk(let left):
                let piece = rest.prefix(left)
                rest = rest.dropFirst(piece.count)
                events.append(.content(Array(piece)))
                part = piece.count == left ? .chunkEnd : .chunk(left - piece.count)
            case .rest:
                events.append(.content(Array(rest)))
                rest = []
            case .status, .header, .chunkSize, .chunkEnd, .trailer:
                guard let text = try takeLine(&rest) else { break }
                if let event = try takeLine(text) { events.append(event) }
            }
            if case .end = events.last { break }
            if case .excess = events.last { break }
        }
        return (events, bytes.count - rest.count)
    }

    /// Processes the orderly end of the connection. Returns the answer that it completes.
    mutating func takeEnd() -> Event? {
        guard case .rest = part else { return nil }
        staysOpen = false
        return end()
    }

    /// The next line without its line end; `nil` if the line is incomplete.
    private mutating func takeLine(_ rest: inout ArraySlice<UInt8>) throws(Fault) -> [UInt8]? {
        let end = rest.firstIndex(of: UInt8(ascii: "\n"))
        line += rest[..<(end ?? rest.endIndex)]
        rest = rest[(end.map { $0 + 1 } ?? rest.endIndex)...]
        guard line.count <= Self.longestLine else {
            throw Fault("a line of more than \(Self.longestLine) bytes")
        }
        guard end != nil else { return nil }
        defer { line = [] }
        // A bare line feed does not end a line. Other programs may accept it as a line end (RFC 9112 §2.2).
        guard line.last == UInt8(ascii: "\r") else {
            throw Fault("a line that does not end in CRLF")
        }
        return line.dropLast()
    }

    private mutating func takeLine(_ line: [UInt8]) throws(Fault) -> Event? {
        switch part {
        case .status: return try takeStatus(line)
        case .header, .trailer:
            if line.isEmpty {
                if case .trailer = part { return end() }
                return try endHeader()
            }
            return try takeField(line)
        case .chunkSize:
            try takeChunkSize(line)
            return nil
        case .chunkEnd:
            guard line.isEmpty else { throw Fault("a chunk that is longer than it says") }
            part = .chunkSize
            return nil
        case .content, .chunk, .rest: return nil
        }
    }

    /// `HTTP/1.1 200 OK` (RFC 9112 §4).
    private mutating func takeStatus(_ line: [UInt8]) throws(Fault) -> Event? {
        let digits = line.dropFirst(9).prefix(3)
        guard line.starts(with: "HTTP/1.".utf8), line.count >= 12, line[8] == UInt8(ascii: " "),
            let minor = line.dropFirst(7).first, (0x30...0x31).contains(minor),
            digits.allSatisfy({ (0x30...0x39).contains($0) }),
            line.count == 12 || line[12] == UInt8(ascii: " "),
            let status = Int(String(decoding: digits, as: UTF8.self)), status >= 100
        else { throw Fault("what begins is no answer of HTTP/1.1") }
        self.status = status
        (length, isChunked) = (nil, false)
        staysOpen = minor == 0x31
        part = .header
        return take(":status", digits)
    }

    private mutating func take(
        _ name: String,
        _ value: some Collection<UInt8>
    ) -> Event? {
        switch header.take(Array(name.utf8), value) {
        case .known(let field): .field(field)
        case .excess(let words): .excess(words)
        case .other: nil
        }
    }

    private mutating func takeField(_ line: [UInt8]) throws(Fault) -> Event? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
            line[..<colon].allSatisfy(Self.isToken)
        else { throw Fault("a header field without a name") }
        let blank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let value = line[(colon + 1)...].drop(while: blank).reversed().drop(while: blank).reversed()
        let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        if case .header = part { try note(name, Array(value)) }
        return take(name, Array(value))
    }

    /// RFC 9110 §5.6.2.
    private static func isToken(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20)
            || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }

    /// Evaluates the fields that state the length of the answer and the persistence of the connection (RFC
    /// 9112 §6, §9.3).
    private mutating func note(_ name: String, _ value: [UInt8]) throws(Fault) {
        let text = String(decoding: value, as: UTF8.self).lowercased()
        switch name {
        case "content-length":
            guard (1...9).contains(value.count), value.allSatisfy({ (0x30...0x39).contains($0) }),
                let length = Int(text), self.length == nil || self.length == length
            else { throw Fault("an invalid content length") }
            self.length = length
        case "transfer-encoding":
            guard text == "chunked", !isChunked else {
                throw Fault("a transfer encoding other than 'chunked'")
            }
            isChunked = true
        case "connection":
            let words = text.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
            if words.contains("close") { staysOpen = false }
            if words.contains("keep-alive") { staysOpen = true }
        default: break
        }
    }

    private mutating func endHeader() throws(Fault) -> Event? {
        if (100...199).contains(status) {
            guard status != 101 else { throw Fault("a switch of protocol without a request") }
            part = .status
            return nil
        }
        guard length == nil || !isChunked else { throw Fault("two lengths of one answer") }
        if status == 204 || status == 304 { return end() }
        if isChunked {
            part = .chunkSize
        } else if let length {
            part = .content(length)
            if length == 0 { return end() }
        } else {
            part = .rest
        }
        return nil
    }

    /// The chunk size in hexadecimal digits, optionally with extensions (RFC 9112 §7.1).
    private mutating func takeChunkSize(_ line: [UInt8]) throws(Fault) {
        chunkBytes += line.count + 4
        guard chunkBytes <= Self.mostChunkBytes else { throw Fault("too many chunks") }
        let digits = line.prefix { Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 }
        let behind = line.dropFirst(digits.count).drop { $0 == 0x20 || $0 == 0x09 }.first
        guard (1...8).contains(digits.count), behind == nil || behind == UInt8(ascii: ";"),
            let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw Fault("a chunk without a size") }
        part = size == 0 ? .trailer : .chunk(size)
    }

    /// Ends the answer; another may begin.
    private mutating func end() -> Event {
        part = .status
        header = HTTPHeaderCount()
        chunkBytes = 0
        return .end(staysOpen: staysOpen)
    }
}
