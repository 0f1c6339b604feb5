import Testing

@testable import Charts

struct MomentLabelsTests {
    private static let width = 400.0

    /// The horizontal extent of a label's text and of its line down to the plot.
    private func extent(_ label: MomentLabel) -> ClosedRange<Double> {
        let length = TextStyle.small.width(label.text)
        return label.anchor == .start
            ? label.x...(label.x + length) : (label.x - length)...label.x
    }

    @Test(arguments: 0..<200)
    func `labels neither touch each other nor cross a line`(seed: Int) {
        var state = UInt64(seed)
        func random(_ count: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % count
        }
        let labels = (0..<(1 + random(8))).map { _ in
            (Double(random(401)), String(repeating: "m", count: Int(1 + random(30))))
        }.sorted { $0.0 < $1.0 }
        let places = MomentLabels(labels, width: Self.width).places
        #expect(places.count == labels.count)
        for (index, place) in places.enumerated() {
            guard let place else { continue }
            let text = extent(place.label)
            #expect(text.lowerBound >= 0 && text.upperBound <= Self.width)
            for (other, another) in places.enumerated() where other != index {
                guard let another else { continue }
                if another.lane == place.lane {
                    #expect(!text.overlaps(extent(another.label)))
                } else if another.lane > place.lane {
                    #expect(!text.contains(labels[other].0))
                }
            }
        }
        #expect(places.contains { $0 != nil })
    }

    @Test func `a later label is placed below the text that spans its line`() {
        let places = MomentLabels(
            [(100, "site lon01 → fra02"), (150, "5.0 ms slower")],
            width: Self.width
        ).places
        #expect(places.map { $0?.lane } == [1, 0])
    }

    @Test func `labels that would touch use another lane, then are omitted`() {
        let labels = MomentLabels((0..<5).map { (Double($0) * 3, "5.0 ms slower") }, width: 800)
        #expect(labels.places.map { $0?.lane } == [nil, nil, 2, 1, 0])
        #expect(labels.count == 3)
        let apart = MomentLabels([(0, "a"), (300, "b")], width: 800)
        #expect(apart.places.map { $0?.lane } == [0, 0])
    }

    @Test func `a label near the end is to the left of its line`() {
        let place = MomentLabels([(795, "5.0 ms slower")], width: 800).places[0]
        #expect(place?.label.anchor == .end)
        let long = String(repeating: "w", count: 300)
        let elided = MomentLabels([(400, long)], width: 800).places[0]
        #expect(elided?.label.text.contains("…") == true)
    }
}
