/// The style of one resolver's marks: a colour, a dash pattern and a marker. Each of the first twelve
/// combinations is unique, so that colour is not needed to read the chart. The first six hues differ, and so
/// do the hues of neighbours.
struct SeriesStyle: Hashable, Sendable {
    /// The maximum number of resolvers with a distinct style. Further resolvers are drawn in grey.
    static let limit = 12

    /// Lengths of strokes and gaps in user units. The first is a solid line.
    static let dashes: [[Double]] = [
        [], [8, 3], [2.5, 2.5], [9, 3, 2, 3], [14, 4], [5, 2, 1.5, 2],
    ]

    let index: Int

    var colour: Int { index % Palette.light.series.count }
    var dash: Int { (index + index / Palette.light.series.count) % Self.dashes.count }
    var marker: Marker { Marker.all[index % Marker.all.count] }

    /// Styles for `subjects` in their order. With more subjects than the limit, the resolver in use and the
    /// recommended resolver come first; `nil` is a subject without a style. A variant has the same style for
    /// every resolver. A subject with an `order` gets the colour of that index, while styles are left.
    static func assigned(to subjects: [ChartSubject]) -> [SeriesStyle?] {
        let places = subjects.compactMap(\.member?.place)
        if places.count == subjects.count {
            return places.map { (0..<limit).contains($0) ? SeriesStyle(index: $0) : nil }
        }
        var styles = [SeriesStyle?](repeating: nil, count: subjects.count)
        let chosen = subjects.places(upTo: limit) { $0.role != .other }
        let orders = [chosen, chosen.sorted { subjects[$0].isAbove(subjects[$1]) }]
        let neighbours = orders.flatMap { zip($0, $0.dropFirst()).map { [$0, $1] } }
        var free = Array((0..<limit).map(SeriesStyle.init).reversed())
        for place in chosen.filter({ subjects[$0].order != nil })
            .sorted(by: { (subjects[$0].order ?? 0, $0) < (subjects[$1].order ?? 0, $1) })
        {
            let wanted = SeriesStyle(index: (subjects[place].order ?? 0) % limit)
            let own = [wanted] + free.reversed().filter { $0.colour == wanted.colour }
            guard let index = own.lazy.compactMap({ free.firstIndex(of: $0) }).first else {
                continue
            }
            styles[place] = free.remove(at: index)
        }
        for place in chosen where styles[place] == nil {
            let beside = neighbours.filter { $0.contains(place) }.joined()
                .compactMap { styles[$0]?.colour }
            let fitting = free.lastIndex { !beside.contains($0.colour) } ?? free.count - 1
            styles[place] = free.remove(at: fitting)
        }
        return styles
    }
}

/// The shape that marks a point of a line.
struct Marker: Hashable, Sendable {
    enum Shape: CaseIterable {
        case square, triangle, diamond, nabla, hourglass, cross
    }

    let shape: Shape
    let isHollow: Bool

    static let all: [Marker] = [false, true].flatMap { hollow in
        Shape.allCases.map { Marker(shape: $0, isHollow: hollow) }
    }

    /// The outline around `centre`, as large as a disc of `radius`.
    func outline(at centre: Point, radius: Double) -> Path {
        let corners: [(Double, Double)] =
            switch shape {
            case .square: [(-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)]
            case .triangle: [(0, -1.1), (1.05, 0.8), (-1.05, 0.8)]
            case .diamond: [(0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)]
            case .nabla: [(0, 1.1), (1.05, -0.8), (-1.05, -0.8)]
            case .hourglass: [(-1, -1), (1, -1), (-1, 1), (1, 1)]
            case .cross:
                [
                    (-0.35, -1.1), (0.35, -1.1), (0.35, -0.35), (1.1, -0.35), (1.1, 0.35),
                    (0.35, 0.35), (0.35, 1.1), (-0.35, 1.1), (-0.35, 0.35), (-1.1, 0.35),
                    (-1.1, -0.35), (-0.35, -0.35),
                ]
            }
        let points = corners.map { Point(centre.x + $0.0 * radius, centre.y + $0.1 * radius) }
        return Path(through: points, closed: true)
    }
}
