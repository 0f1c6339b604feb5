import Runs

/// Standard error, on which a question is asked too.
struct TerminalConsole: RunConsole {
    func mention(_ text: String) { Terminal.mention(text) }

    func agrees(to question: String) -> Bool? {
        guard Terminal.standard[0].isTerminal, Terminal.error.isTerminal else { return nil }
        try? Terminal.error.write(question)
        return ["y", "yes"].contains(readLine()?.lowercased())
    }
}

extension ScheduledSession {
    /// Reads the settings again on a hang-up, and returns true, unless it is that of a terminal which was
    /// there when this was asked for: then nobody looks on any more.
    var onHangUp: @Sendable () -> Bool {
        let terminals = Terminal.standard.filter(\.isTerminal)
        return { [self] in
            guard terminals.allSatisfy(\.isTerminal) else { return false }
            reload()
            return true
        }
    }
}
