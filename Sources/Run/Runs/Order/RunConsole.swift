/// The user's side of a run that is being prepared: it takes remarks, and answers questions.
package protocol RunConsole: Sendable {
    func mention(_ text: String)

    /// The answer to a question for yes or no; `nil` where there is nobody to ask.
    func agrees(to question: String) -> Bool?
}
