/// Whoever is told what is found while a run is prepared, and is asked.
package protocol RunConsole: Sendable {
    func mention(_ text: String)

    /// The answer to a question for yes or no; `nil` where there is nobody to ask.
    func agrees(to question: String) -> Bool?
}
