/// An `[[expect]]` table of a campaign, as written.
package struct ExpectationTable: Hashable, Sendable {
    package let name: String
    package let type: String
    package let answers: [String]?
    /// The minimum and the maximum number of answers.
    package let count: ClosedRange<Int>?
    package let matches: String?
    package let responseCode: String?
    package let line: Int

    private static let mostAnswers = 65_535

    init(_ section: TOMLSection) throws(CatalogueError) {
        let conditions = ["answers", "count", "min-count", "matches", "rcode"]
        try section.check(keys: ["name", "type"] + conditions)
        name = try section.requiredString("name")
        type = try section.string("type") ?? "A"
        answers = try section.strings("answers")
        let exact = try section.integer("count", in: 0...Self.mostAnswers)
        let least = try section.integer("min-count", in: 0...Self.mostAnswers)
        guard exact == nil || least == nil else {
            throw section.fault("min-count", "'min-count' and 'count' cannot be combined; give one")
        }
        count = exact.map { $0...$0 } ?? least.map { $0 ... .max }
        matches = try section.string("matches")
        responseCode = try section.string("rcode")
        guard answers != nil || count != nil || matches != nil || responseCode != nil else {
            throw section.fault(
                "name",
                "[[expect]] has no condition: add one of \(conditions.joined(separator: ", "))"
            )
        }
        line = section.line(of: "name")
    }
}
