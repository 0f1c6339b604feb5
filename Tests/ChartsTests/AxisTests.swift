import Testing

@testable import Charts

struct AxisTests {
    @Test(arguments: [
        (largest: 48.8, ticks: [0.0, 20, 40, 60]),
        (largest: 60.0, ticks: [0.0, 20, 40, 60]),
        (largest: 100.0, ticks: [0.0, 50, 100]),
        (largest: 7.0, ticks: [0.0, 2, 4, 6, 8]),
        (largest: 0.9, ticks: [0.0, 0.5, 1]),
    ])
    func `a linear axis begins at zero and ends at a round tick`(largest: Double, ticks: [Double]) {
        let axis = Axis.linear(to: largest, tickCount: 4)
        #expect(axis.lower == 0)
        #expect(axis.ticks.map(axis.label) == ticks.map(axis.label))
        #expect(axis.upper >= largest)
        #expect(abs(axis.position(axis.upper / 2) - 0.5) < 1e-12)
    }

    @Test func `a logarithmic axis gives a factor the same length everywhere`() {
        let axis = Axis.logarithmic(from: 3, to: 4200, tickCount: 12)
        #expect(axis.lower == 2 && axis.upper == 5000)
        #expect(axis.ticks == [2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000])
        let near = axis.position(20) - axis.position(10)
        let far = axis.position(2000) - axis.position(1000)
        #expect(abs(near - far) < 1e-12)
        #expect(axis.position(0) == 0 && axis.position(1e9) == 1)
    }

    @Test func `many decades are marked at powers of ten`() {
        let axis = Axis.logarithmic(from: 0.1, to: 1000, tickCount: 6)
        #expect(axis.ticks.map(axis.label) == ["0.1", "1", "10", "100", "1000"])
    }

    @Test(arguments: [
        (values: [14.0, 30, 48], typical: [14.0, 15, 22], isLogarithmic: false),
        (values: [14.0, 30, 1800], typical: [14.0, 15, 22], isLogarithmic: true),
        (values: [14.0, 150], typical: [15.0], isLogarithmic: false),
        (values: [14.0, 151], typical: [15.0], isLogarithmic: true),
        (values: [0.0, 0.2, 900], typical: [0.2], isLogarithmic: true),
    ])
    func `an axis is logarithmic only if slow values would compress the others`(
        values: [Double],
        typical: [Double],
        isLogarithmic: Bool
    ) {
        let axis = Axis.durations(values, typical: typical, tickCount: 5)
        #expect(axis.isLogarithmic == isLogarithmic)
        #expect(axis.durationTitle.contains("logarithmic") == isLogarithmic)
    }

    @Test(arguments: [
        [], [0], [0, 0], [12], [12, 12, 12], [.nan], [.infinity, 3], [-4], [1e300], [1e-300, 5],
        [.leastNonzeroMagnitude],
    ])
    func `invalid values still produce an axis`(values: [Double]) {
        for typical in [[], values, [1e-9]] {
            let axis = Axis.durations(values, typical: typical, tickCount: 5)
            #expect(axis.upper > axis.lower && axis.upper.isFinite)
            #expect((2...12).contains(axis.ticks.count))
            #expect(Set(axis.ticks).count == axis.ticks.count)
            for value in values + [.nan, -1, 1e308] {
                #expect((0...1).contains(axis.position(value)))
            }
        }
    }

    @Test(arguments: [(1, 100), (1, 1), (0, 2), (-5, 7), (1, 100_000), (-9e18, 9e18)])
    func `rounds are marked at whole numbers`(first: Double, last: Double) {
        let axis = Axis.counting(from: first, to: last, tickCount: 6)
        #expect(!axis.ticks.isEmpty && axis.ticks.count <= 8)
        #expect(
            axis.ticks.allSatisfy { $0 == $0.rounded() && $0 >= axis.lower && $0 <= axis.upper }
        )
        #expect(axis.position(first) == 0)
    }
}
