import Reports

/// The place on the terminal where the live view is drawn over and over.
struct LiveCanvas {
    private let terminal = Terminal.error
    private let colour: Bool
    private var screen = LiveScreen()
    /// When all of it was last drawn.
    private var lastWhole: ContinuousClock.Instant?

    /// Drawn whole so often, what others wrote on the terminal does not stay.
    private static let mending = Duration.seconds(1)

    init(colour: Bool) { self.colour = colour && terminal.allowsColour }

    mutating func draw(_ progress: LiveProgress) {
        let size = terminal.size
        let table = LiveTable(width: size.columns, height: size.rows, colour: colour)
        let now = ContinuousClock.now
        let isWhole = lastWhole.map { now - $0 >= Self.mending } ?? true
        if isWhole { lastWhole = now }
        let lines = table.lines(progress).map(terminal.legible)
        let frame = screen.frame(lines, columns: size.columns, rows: size.rows, isWhole: isWhole)
        try? terminal.write(frame)
    }

    /// Leaves the screen as it was.
    mutating func erase() { write(above: "") }

    /// Writes whole lines that stay, in place of what is drawn until it is drawn again.
    mutating func write(above text: String) {
        let size = terminal.size
        try? terminal.write(screen.erase(columns: size.columns, rows: size.rows) + text)
    }
}
