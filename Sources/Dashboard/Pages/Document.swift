import Reports

/// What can be asked for, by people or by programs.
struct Document: Hashable, Sendable {
    enum Subject: Hashable, Sendable {
        /// How resolvers are doing now, today and this week.
        case overview
        case window(WindowGrouping)
        case changes
        /// What a chart of a resolver shows, or of all.
        case course(label: String?, HistoryDrawing.Kind)
        case comparison(baseline: String?, candidate: String?)
    }

    enum Form: Hashable, Sendable {
        case page, data
    }

    var subject: Subject
    var window: WindowChoice
    var form: Form
}
