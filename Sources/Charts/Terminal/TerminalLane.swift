/// The cells of a bar: the first `cells` of `width` carry the axis, the rest the unit and `▶`.
struct TerminalLane {
    let axis: Axis
    let cells: Int
    let width: Int

    func cell(_ value: Double) -> Int {
        Int((axis.position(value) * Double(cells - 1)).rounded())
    }

    /// Tick labels centred on their cells; those that would touch their neighbour are left out.
    func labels(unit: String) -> String {
        var line = [Character](repeating: " ", count: width)
        var free = width
        for (index, tick) in axis.ticks.reversed().enumerated() {
            let number = axis.label(tick)
            let label = index == 0 ? number + unit : number
            let centred = cell(tick) - (index == 0 ? number.count - 1 : number.count / 2)
            let start = max(0, min(centred, width - label.count))
            guard start + label.count < free || index == 0 else { continue }
            for (offset, character) in label.enumerated() where start + offset < width {
                line[start + offset] = character
            }
            free = start
        }
        let used = line.lastIndex { $0 != " " }.map { $0 + 1 } ?? 0
        return String(line[..<used])
    }
}
