import Runs

/// Standard error, which also shows questions to the user.
struct TerminalConsole: RunConsole {
    func mention(_ text: String) { Terminal.mention(text) }

    func agrees(to question: String) -> Bool? {
        guard Terminal.standard[0].isTerminal, Terminal.error.isTerminal else { return nil }
        try? Terminal.error.write(question)
        return ["y", "yes"].contains(readLine()?.lowercased())
    }
}

extension ScheduledSession {
    /// Reads the settings again after a hang-up signal, and returns true. It returns false if a terminal hung
    /// up that existed when this property was read: then no user is present.
    var onHangUp: @Sendable () -> Bool {
        let terminals = Terminal.standard.filter(\.isTerminal)
        return { [self] in
            guard terminals.allSatisfy(\.isTerminal) else { return false }
            reload()
            return true
        }
    }
}
