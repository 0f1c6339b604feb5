package import Samples

extension Redaction {
    /// The line of a redacted document.
    package var sentence: String {
        "Redacted: \(keepsNames ? "" : "names, ")private addresses, vantage, machine name and paths."
    }
}
