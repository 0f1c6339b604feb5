/// The user's side of the preparation of a run. It receives remarks and answers questions.
package protocol RunConsole: Sendable {
    func mention(_ text: String)

    /// The answer to a yes-or-no question; `nil` if no user can be asked.
    func agrees(to question: String) -> Bool?
}
