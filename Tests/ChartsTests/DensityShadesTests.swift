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

    @Test func `answers that are alike have one shade`() {
        let alike = shades([5, 13]).cells
        #expect(Array(alike[..<8]) == [nil, 3, 5, 3, nil, 3, 5, 3])
        #expect(shades([]).cells == [Int?](repeating: nil, count: 50))
    }

    @Test func `what lies above the axis has no cell`() {
        #expect(shades([500, 900]).cells.allSatisfy { $0 == nil })
    }

    @Test func `runs of a paler shade hold those of a darker one`() {
        let shades = shades((0..<400).map { 20 + Double($0 % 20) + Double($0 % 7) })
        let runs = (0..<6).map { shades.runs(atLeast: $0) }
        for (paler, darker) in zip(runs, runs.dropFirst()) {
            #expect(darker.allSatisfy { run in paler.contains { $0.clamped(to: run) == run } })
        }
        #expect(!runs[5].isEmpty && runs[0].map(\.count) != runs[5].map(\.count))
    }

    @Test(arguments: [[], [0], [.infinity], [1e300, 1e-300], [50]], [-1, 0, 1, 3])
    func `odd times do no harm`(times: [Double], cells: Int) {
        #expect(shades(times, cells: cells).cells.count == max(1, cells))
    }
}

struct HeatScaleTests {
    @Test(arguments: [
        (values: [13.6, 42.4], bounds: [12.0, 44], isLogarithmic: false),
        (values: [20.0, 20.1], bounds: [20.0, 20.5], isLogarithmic: false),
        (values: [9.0, 900], bounds: [5.0, 1000], isLogarithmic: true),
        (values: [], bounds: [0.0, 1], isLogarithmic: false),
    ])
    func `classes lie between round bounds`(
        values: [Double],
        bounds: [Double],
        isLogarithmic: Bool
    ) {
        let scale = HeatScale(values)
        #expect(scale.isLogarithmic == isLogarithmic)
        #expect(scale.bounds.first == bounds[0] && scale.bounds.last == bounds[1])
        #expect(scale.count <= Palette.heat.count)
    }

    @Test(arguments: [[0], [0, 0], [.nan, -4, .infinity], [1e300, 1e-300], [5], [0, 1e-9]])
    func `odd values still make classes`(values: [Double]) {
        let scale = HeatScale(values)
        #expect(
            scale.count >= 1 && zip(scale.bounds, scale.bounds.dropFirst()).allSatisfy { $0 < $1 }
        )
        for value in values + [-1, 1e308, .nan] {
            #expect(Palette.heat.indices.contains(scale.colour(scale.place(value))))
        }
    }

    @Test func `a slower time never has a paler colour`() {
        let scale = HeatScale([10, 60])
        let colours = (0..<scale.count).map(scale.colour)
        #expect(colours == colours.sorted() && Set(colours).count == scale.count)
    }
}
