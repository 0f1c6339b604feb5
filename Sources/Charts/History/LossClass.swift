/// How large the share of queries without an answer is, in classes that the eye can tell apart.
enum LossClass: Int, CaseIterable, Hashable, Sendable {
    case none, few, some, many, most, all

    init(lost: Int, of sent: Int) {
        let share = sent > 0 ? Double(lost) / Double(sent) : 0
        self =
            switch share {
            case ...0: .none
            case ...0.01: .few
            case ...0.05: .some
            case ...0.20: .many
            case ..<1: .most
            default: .all
            }
    }

    /// What the legend says of the class.
    var label: String {
        switch self {
        case .none: "none lost"
        case .few: "up to 1 %"
        case .some: "up to 5 %"
        case .many: "up to 20 %"
        case .most: "more"
        case .all: "all lost"
        }
    }

    /// How far the class rises in a strip, from 0 to 1, so that it can be read without colour.
    var height: Double { Double(rawValue) / Double(Self.all.rawValue) }

    /// Classes in which a query was lost.
    static let losses = allCases.dropFirst()
}
