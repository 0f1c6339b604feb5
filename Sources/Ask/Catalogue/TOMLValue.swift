import CTOML

/// A value of a TOML file (TOML 1.0.0), as toml++ reads it.
enum TOMLValue {
    case text(String)
    case integer(Int)
    case number(Double)
    case boolean(Bool)
    /// A date or a time, as it is written.
    case moment(String)
    case array([TOMLValue])
    case table([String: TOMLValue])

    /// The table that a whole file is.
    static func table(parsing text: String) throws(TOMLShape.Fault) -> [String: TOMLValue] {
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

    var table: [String: TOMLValue]? { if case .table(let values) = self { values } else { nil } }

    /// As it may be written; `nil` for a table or an array.
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

/// The tables and arrays that are open while a file is read.
private struct TOMLTree {
    private struct Open {
        var key: String
        var isTable: Bool
        var values: [String: TOMLValue] = [:]
        var elements: [TOMLValue] = []
    }

    private(set) var root: [String: TOMLValue] = [:]
    private var open: [Open] = []

    mutating func add(_ value: ctoml_value) {
        let key = unsafe Self.text(value.key, value.key_length)
        switch unsafe value.kind {
        case ctoml_table: open.append(Open(key: key, isTable: true))
        case ctoml_array: open.append(Open(key: key, isTable: false))
        case ctoml_end: close()
        case ctoml_text: unsafe put(.text(Self.text(value.text, value.text_length)), key)
        case ctoml_integer: unsafe put(.integer(Int(value.integer)), key)
        case ctoml_number: unsafe put(.number(value.number), key)
        case ctoml_boolean: unsafe put(.boolean(value.is_true != 0), key)
        default: unsafe put(.moment(Self.text(value.text, value.text_length)), key)
        }
    }

    private mutating func close() {
        guard let ended = open.popLast() else { return }
        guard !open.isEmpty else { return root = ended.values }
        put(ended.isTable ? .table(ended.values) : .array(ended.elements), ended.key)
    }

    private mutating func put(_ value: TOMLValue, _ key: String) {
        let last = open.count - 1
        if open[last].isTable {
            open[last].values[key] = value
        } else {
            open[last].elements.append(value)
        }
    }

    private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
        unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
