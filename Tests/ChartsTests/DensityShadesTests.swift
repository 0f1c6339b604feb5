import Statistics
import Testing

@testable import Charts

struct DensityShadesTests {
    private let axis = Axis.linear(to: 100, tickCount: 5)

    private func shades(_ times: [Double], cells: Int = 50) -> DensityShades {
        var sketch = LatencySketch()
        for time in times { sketch.insert(time) }
        return DensityShades(sketch, axis: axis, count: cells)
    }

    @Test func `the darkest cell is where most answers are`() throws {
        let shades = shades((0..<100).map { 40 + Double($0 % 10) / 10 } + [10, 70, 90])
        let darkest = shades.cells.indices.filter { shades.cells[$0] == 5 }
        #expect(darkest == [20])
        #expect(shades.cells[5] == nil)
    }

    @Test func `answers with equal times share one shade`() {
        let alike = shades([5, 13]).cells
        #expect(Array(alike[..<8]) == [nil, 3, 5, 3, nil, 3, 5, 3])
        #expect(shades([]).cells == [Int?](repeating: nil, count: 50))
    }

    @Test func `values above the axis have no cell`() {
        #expect(shades([500, 900]).cells.allSatisfy { $0 == nil })
    }

    @Test func `runs of a paler shade contain the runs of a darker shade`() {
        let times: [Double] = (0..<400).map { Double(20 + $0 % 20 + $0 % 7) }
        let shades = shades(times)
        let runs = (0..<6).map { shades.runs(atLeast: $0) }
        for (paler, darker) in zip(runs, runs.dropFirst()) {
            #expect(darker.allSatisfy { run in paler.contains { $0.clamped(to: run) == run } })
        }
        #expect(!runs[5].isEmpty && runs[0].map(\.count) != runs[5].map(\.count))
    }

    @Test(arguments: [[], [0], [.infinity], [1e300, 1e-300], [50]], [-1, 0, 1, 3])
    func `extreme times cause no failure`(times: [Double], cells: Int) {
        #expect(shades(times, cells: cells).cells.count == max(1, cells))
    }
}

struct HeatScaleTests {
    @Test(arguments: [
        (values: [13.6, 42.4], bounds: [12.0, 50]),
        (values: [20.0, 20.1], bounds: [20.0, 20.5]),
        (values: [9.0, 900], bounds: [8.0, 1000]),
    ])
    func `classes have round bounds`(values: [Double], bounds: [Double]) {
        let classes = HeatScale(values).classes
        #expect(classes.first?.lowerBound == bounds[0] && classes.last?.upperBound == bounds[1])
        #expect(classes.count <= Palette.heat.count)
    }

    @Test func `a slow resolver does not use up the colours of the others`() {
        let scale = HeatScale([13, 16, 20, 25, 200, 250, 4000])
        let colours = [13.0, 20, 200].map { scale.colour(scale.place($0)) }
        #expect(colours[1] - colours[0] >= 4 && colours[2] - colours[1] >= 4)
        #expect(scale.text(0...0) == "12–15")
    }

    @Test func `times of any size have a reasonable number of classes`() {
        let scale = HeatScale((0..<80).map { Double($0 * $0 * $0) / 10 })
        #expect((5...12).contains(scale.classes.count))
    }

    @Test(arguments: [[], [.nan, -4, .infinity]])
    func `without times there are no classes`(values: [Double]) {
        let scale = HeatScale(values)
        #expect(scale.classes.isEmpty)
        #expect(Palette.heat.indices.contains(scale.colour(scale.place(5))))
    }

    @Test(arguments: [[0], [0, 0], [1e300, 1e-300], [5], [0, 1e-9]])
    func `invalid values still produce classes`(values: [Double]) {
        let scale = HeatScale(values)
        let bounds = scale.classes.map(\.lowerBound)
        #expect(!bounds.isEmpty && zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 })
        for value in values + [-1, 1e308, .nan] {
            #expect(Palette.heat.indices.contains(scale.colour(scale.place(value))))
        }
    }

    @Test func `a slower time never has a paler colour`() {
        let scale = HeatScale([10, 13, 20, 44, 60])
        let colours = scale.classes.indices.map(scale.colour)
        #expect(colours == colours.sorted() && Set(colours).count == 5)
    }
}
