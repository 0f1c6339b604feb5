import Statistics
import Testing

@testable import Charts

struct PlacesPanelTests {
    private static let sizes = [
        (places: 1, resolvers: 1), (1, 3), (3, 3), (100, 10), (4, 40), (2, 2),
    ]

    @Test(arguments: sizes, Sheet.Form.allCases)
    func `every cell has its place, and no texts overlap`(
        size: (places: Int, resolvers: Int),
        form: Sheet.Form
    ) throws {
        let chart = Chart(.places, of: .places(size.places, resolvers: size.resolvers))
        let drawing = try #require(ParsedDrawing(Sheet(title: "A", charts: [chart]).svg(form)))
        let height = drawing.elements[0].number("height")
        let outside = drawing.elements.filter { element in
            guard let (x, y) = element.extent else { return false }
            return x.lowerBound < 0 || x.upperBound > form.width || y.lowerBound < 0
                || y.upperBound > height
        }
        #expect(outside.isEmpty)
        let boxes = drawing.all("text").compactMap { element in
            element.extent.map { (element.text, $0) }
        }
        let covered = boxes.indices.flatMap { place in
            boxes[(place + 1)...].filter { _, box in
                box.x.overlaps(boxes[place].1.x) && box.y.overlaps(boxes[place].1.y)
            }.map { "\(boxes[place].0) and \($0.0)" }
        }
        #expect(covered.isEmpty)
        // Every measured cell shows its figure, in a font size that fits.
        let grid = PlaceGrid(chart.subjects)
        let figures = drawing.all("text").filter { text in
            TextStyle.ofCells.contains { $0.rawValue == text.attributes["class"] }
        }
        #expect(figures.count == grid.measured.count)
    }

    @Test func `rows are sorted by name and columns by speed`() {
        let grid = PlaceGrid(.places(12, resolvers: 4))
        #expect(grid.places == grid.places.sorted() && grid.places.count == 12)
        #expect(grid.resolvers == ["meadow", "brook", "harbour", "glacier-with-a-long-name"])
        #expect(grid.cells.count == 12 && grid.cells.allSatisfy { $0.count == 4 })
        #expect(grid.cells.contains { $0.contains { $0 == nil } })
        #expect(grid.cells.contains { $0.contains { $0?.median == nil && $0 != nil } })
    }

    @Test func `losses and missing measurements are shown`() {
        let chart = Chart(.places, of: .places(12, resolvers: 4))
        let svg = Sheet(title: "A", charts: [chart]).svg()
        for text in [
            "Corner: failed queries, larger for more. Hatched: not measured.", ">failed<",
            "failed: over half failed or later than the timeout",
        ] {
            #expect(svg.contains(text))
        }
        let all = Chart(.places, of: [ChartSubject].places(12, resolvers: 4).prefix(1).map(\.self))
        let one = Sheet(title: "A", charts: [all]).svg()
        #expect(!one.contains("Hatched") && !one.contains("failed: over half"))
        let none = Sheet(title: "A", charts: [Chart(.places, of: [])]).svg()
        #expect(none.contains("Nothing was measured in this window."))
    }
}

extension [ChartSubject] {
    /// Resolvers of increasing latency at places of increasing latency. Some cells are absent, some lose most
    /// queries, and some lose a few queries.
    static func places(_ places: Int, resolvers: Int) -> [ChartSubject] {
        let names = ["meadow", "brook", "harbour", "glacier-with-a-long-name"]
        return (0..<places).flatMap { place in
            (0..<resolvers).compactMap { resolver -> ChartSubject? in
                let kind = (place * 7 + resolver * 5) % 23
                guard kind != 17 else { return nil }
                let name = resolver < names.count ? names[resolver] : "resolver-\(resolver)"
                let town = ["Lyon", "Oslo", "a village far away in the mountains"][place % 3]
                let middle = 3 + Double(resolver * resolver) * 1.7 + Double(place % 5) * 2.1
                let failed = kind == 9 ? 30 : kind % 6 == 4 ? kind % 4 : 0
                let label = "\(town) \(place + 1)"
                return ChartSubject(
                    label: "\(name) from \(label)",
                    member: (name, label, 0),
                    summary: LatencySummary(
                        answers: (failed..<40).map { middle + Double($0 % 7) * 0.1 },
                        nonAnswers: failed,
                        timeout: 5000
                    )
                )
            }
        }
    }
}
