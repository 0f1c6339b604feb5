import Samples

/// The JSON Schema (draft 2020-12) of a document, made from the definitions that write it.
///
/// Objects are open: a later version may add keys. Words are closed sets of this version.
struct JSONSchema {
    private let identifier: String
    private let title: String
    private let roots: [ObjectForm]
    private var definitions: [(name: String, schema: JSONValue)] = []

    /// The schema of a document that is one of `roots`. Fixed keys such as `kind` distinguish the
    /// roots.
    init(_ identifier: String, title: String, _ roots: [ObjectForm]) {
        (self.identifier, self.title, self.roots) = (identifier, title, roots)
    }

    /// The whole schema, with a line break at its end.
    var text: String {
        var builder = self
        let bodies = roots.map { builder.object($0) }
        let head: JSONValue = [
            "$schema": .string("https://json-schema.org/draft/2020-12/schema"),
            "$id": .string("urn:dnstempo:\(identifier)"),
            "title": .string(title),
        ]
        let body: JSONValue = bodies.count == 1 ? bodies[0] : ["anyOf": .array(bodies)]
        let definitions = builder.definitions.map {
            JSONValue.Member(name: $0.name, value: $0.schema)
        }
        let end: JSONValue = definitions.isEmpty ? [:] : ["$defs": .object(definitions)]
        return (head + body + end).text() + "\n"
    }

    private mutating func object(_ form: ObjectForm) -> JSONValue {
        var members: [JSONValue.Member] = []
        for declaration in form.members where declaration.media != .csvOnly {
            members.append(.init(name: declaration.key, value: member(declaration)))
        }
        let required = form.members.filter { $0.media != .csvOnly && $0.presence == nil }.map(\.key)
        return [
            "type": .string("object"),
            "properties": .object(members),
            "required": .array(required.map(JSONValue.string)),
        ]
    }

    private mutating func member(_ declaration: Declaration) -> JSONValue {
        let schema = value(declaration.form, isNullable: declaration.null != nil)
        return schema + ["description": .string(declaration.meaning)]
            + (declaration.unit.map { ["x-unit": .string($0.rawValue)] } ?? [:])
    }

    private mutating func value(_ form: ValueForm, isNullable: Bool = false) -> JSONValue {
        func typed(_ type: String, _ more: JSONValue = [:]) -> JSONValue {
            let types: JSONValue =
                isNullable ? .array([.string(type), .string("null")]) : .string(type)
            return ["type": types] + more
        }
        switch form {
        case .text: return typed("string")
        case .word(let words):
            let all = words.map(JSONValue.string) + (isNullable ? [.null] : [])
            return typed("string", ["enum": .array(all)])
        case .fixed(let text): return ["const": .string(text)]
        case .moment: return typed("string", ["format": .string("date-time")])
        case .flag: return typed("boolean")
        case .count: return typed("integer", ["minimum": .integer(0)])
        case .integer: return typed("integer")
        case .number: return typed("number")
        case .list(let form): return typed("array", ["items": value(form)])
        case .range(let form):
            return typed(
                "array",
                [
                    "items": value(form, isNullable: true), "minItems": .integer(2),
                    "maxItems": .integer(2),
                ]
            )
        case .optional(let form): return value(form, isNullable: true)
        case .map(let form): return typed("object", ["additionalProperties": value(form)])
        case .open: return typed("object")
        case .object(let form): return reference(form, isNullable: isNullable)
        case .either(let forms):
            return ["anyOf": .array(forms.map { value($0, isNullable: isNullable) })]
        }
    }

    private mutating func reference(_ form: ObjectForm, isNullable: Bool) -> JSONValue {
        if !definitions.contains(where: { $0.name == form.name }) {
            // Reserves the place of the object before the objects within it.
            let index = definitions.count
            definitions.append((form.name, .null))
            definitions[index].schema = object(form)
        }
        let link: JSONValue = ["$ref": .string("#/$defs/\(form.name)")]
        return isNullable ? ["anyOf": .array([link, ["type": .string("null")]])] : link
    }
}
