/// The hours of a share to which a scan looks back, in columns, ascending.
struct ShareHours {
    /// The level of hours that belong to no level, because their episode has ended.
    static let noLevel = -1

    private(set) var hours: [Int] = []
    private(set) var parts: [Double] = []
    private(set) var wholes: [Double] = []
    /// The number of the level to which each hour belongs.
    private(set) var levels: [Int] = []
    /// The cell of ``ShareCourse`` of each hour.
    private(set) var cells: [Int] = []
    /// The first hour of all, also after it was dropped.
    private(set) var first: Int?

    var count: Int { hours.count }

    mutating func append(_ share: ShareHour, level: Int) {
        if first == nil { first = share.hour }
        hours.append(share.hour)
        parts.append(Double(share.part))
        wholes.append(Double(share.whole))
        levels.append(level)
        cells.append(share.cell)
    }

    mutating func dropFirst(_ count: Int) {
        hours.removeFirst(count)
        parts.removeFirst(count)
        wholes.removeFirst(count)
        levels.removeFirst(count)
        cells.removeFirst(count)
    }

    mutating func setLevel(_ level: Int, _ range: Range<Int>) {
        for index in range { levels[index] = level }
    }

    /// Returns the index of the first hour that is not before `hour`.
    func index(of hour: Int) -> Int { hours.partitioningIndex { $0 >= hour } }

    /// Returns the sums of parts and wholes over `range`.
    func sums(_ range: Range<Int>) -> CountedRate {
        var sums = CountedRate(part: 0, whole: 0)
        for index in range { sums.add(part: parts[index], whole: wholes[index]) }
        return sums
    }
}
