import CTOML

/// A value of a TOML file (TOML 1.0.0), as toml++ reads it.
enum TOMLValue {
    case text(String)
    case integer(Int)
    case number(Double)
    case boolean(Bool)
    /// A date or a time, as written.
    case moment(String)
    case array([TOMLValue])
    case table(TOMLTable)

    /// The top-level table of a file.
    static func table(parsing text: String) throws(TOMLShape.Fault) -> TOMLTable {
        var text = text
        var tree = TOMLTree()
        var fault = [CChar](repeating: 0, count: 512)
        let line = text.withUTF8 { text in
            unsafe text.withMemoryRebound(to: CChar.self) { text in
                unsafe withUnsafeMutablePointer(to: &tree) { tree in
                    unsafe fault.withUnsafeMutableBufferPointer { fault in
                        unsafe ctoml_parse(
                            text.baseAddress,
                            text.count,
                            { tree, value in
                                guard let value = unsafe value?.pointee else { return }
                                unsafe tree?.assumingMemoryBound(to: TOMLTree.self).pointee
                                    .add(value)
                            },
                            tree,
                            fault.baseAddress,
                            fault.count
                        )
                    }
                }
            }
        }
        guard line == 0 else {
            let reason = fault.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw .init(line: Int(line), reason: String(decoding: reason, as: UTF8.self))
        }
        return tree.root
    }

    var string: String? { if case .text(let text) = self { text } else { nil } }

    var integer: Int? { if case .integer(let number) = self { number } else { nil } }

    var number: Double? {
        switch self {
        case .number(let number): number
        case .integer(let number): Double(number)
        default: nil
        }
    }

    var boolean: Bool? { if case .boolean(let isTrue) = self { isTrue } else { nil } }

    var array: [TOMLValue]? { if case .array(let values) = self { values } else { nil } }

    var table: TOMLTable? { if case .table(let values) = self { values } else { nil } }

    /// The value in TOML notation; `nil` for a table or an array.
    var written: String? {
        switch self {
        case .text(let text): "\"\(text)\""
        case .moment(let text): text
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .boolean(let isTrue): "\(isTrue)"
        case .array, .table: nil
        }
    }
}

/// A table of a TOML file, with the lines of the table and of its keys, counted from 1.
struct TOMLTable {
    let line: Int
    private(set) var values: [String: TOMLValue] = [:]
    private var lines: [String: Int] = [:]

    init(line: Int = 1) { self.line = line }

    /// The line of a key; without the key, the first line of the table.
    func line(of key: String) -> Int { lines[key] ?? line }

    fileprivate mutating func add(_ value: TOMLValue, _ key: String, on line: Int) {
        values[key] = value
        lines[key] = line
    }
}

/// The tables and arrays that are open during parsing.
private struct TOMLTree {
    private struct Open {
        var key: String
        var isTable: Bool
        var table: TOMLTable
        var elements: [TOMLValue] = []
    }

    private(set) var root = TOMLTable()
    private var open: [Open] = []

    mutating func add(_ value: ctoml_value) {
        let key = unsafe Self.text(value.key, value.key_length)
        let line = unsafe Int(value.line)
        switch unsafe value.kind {
        case ctoml_table: open.append(Open(key: key, isTable: true, table: TOMLTable(line: line)))
        case ctoml_array: open.append(Open(key: key, isTable: false, table: TOMLTable(line: line)))
        case ctoml_end: close()
        case ctoml_text: unsafe put(.text(Self.text(value.text, value.text_length)), key, line)
        case ctoml_integer: unsafe put(.integer(Int(value.integer)), key, line)
        case ctoml_number: unsafe put(.number(value.number), key, line)
        case ctoml_boolean: unsafe put(.boolean(value.is_true != 0), key, line)
        default: unsafe put(.moment(Self.text(value.text, value.text_length)), key, line)
        }
    }

    private mutating func close() {
        guard let ended = open.popLast() else { return }
        guard !open.isEmpty else { return root = ended.table }
        let value: TOMLValue = ended.isTable ? .table(ended.table) : .array(ended.elements)
        put(value, ended.key, ended.table.line)
    }

    private mutating func put(_ value: TOMLValue, _ key: String, _ line: Int) {
        let last = open.count - 1
        if open[last].isTable {
            open[last].table.add(value, key, on: line)
        } else {
            open[last].elements.append(value)
        }
    }

    private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
        unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
