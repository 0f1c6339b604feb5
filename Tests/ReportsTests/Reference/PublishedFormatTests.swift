import Samples
import Testing

@testable import Reports

@Suite struct PublishedFormatTests {
    private static let formats = PublishedFormat.reports + [.hourlySums]

    /// In the reference, objects with the same name share a heading and a definition.
    @Test(arguments: formats.map(\.name))
    func `an object has one definition within a format`(name: String) throws {
        let format = try #require(Self.formats.first { $0.name == name })
        var forms: [String: ObjectForm] = [:]
        func visit(_ object: ObjectForm) {
            let keys = object.members.filter { $0.media != .csvOnly }.map(\.key)
            #expect(Set(keys).count == keys.count, "\(object.name)")
            for form in object.members.flatMap({ objects(in: $0.form) }) {
                #expect(forms[form.name].map { $0 == form } ?? true, "\(form.name)")
                if forms.updateValue(form, forKey: form.name) == nil { visit(form) }
            }
        }
        for object in format.parts.compactMap(\.object) { visit(object) }
        #expect(!forms.isEmpty || name == "hourly-sums")
    }

    private func objects(in form: ValueForm) -> [ObjectForm] {
        switch form {
        case .object(let object): [object]
        case .list(let inner), .range(let inner), .optional(let inner), .map(let inner):
            objects(in: inner)
        case .either(let inner): inner.flatMap(objects)
        case .text, .word, .fixed, .moment, .flag, .count, .integer, .number, .open: []
        }
    }

    @Test(arguments: formats.map(\.name))
    func `a key has one meaning in an object, and the meaning is a sentence`(name: String) throws {
        let format = try #require(Self.formats.first { $0.name == name })
        for part in format.parts {
            for form in [part.object, part.table].compactMap(\.self) {
                let keys = form.members.filter { $0.media != .csvOnly }.map(\.key)
                #expect(Set(keys).count == keys.count, "\(form.name)")
                #expect(form.members.allSatisfy { $0.meaning.hasSuffix(".") })
            }
        }
    }
}
