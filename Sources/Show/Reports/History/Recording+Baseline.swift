package import Catalogue
import Failures
package import Samples

extension [String] {
    /// Throws if no label is the label of a baseline.
    package func check(baseline label: String) throws(CatalogueError) {
        guard !contains(label) else { return }
        let words = NearestName.unmeasured("--baseline", label, among: self)
        throw CatalogueError(.usage, words)
    }
}

extension Recording {
    /// The recorded label of the baseline `name`. A name with a place (`system from home`) and the name
    /// without the place mean the same resolver if only one place has it. Throws if no resolver has the name.
    package func label(ofBaseline name: String) throws(CatalogueError) -> String {
        let labels = targets.map(\.label).uniqued
        if labels.contains(name) { return name }
        let vantages = Set(runs.map(\.vantage))
        let ofPlaces = vantages.map { "\(name) from \($0)" }.filter(labels.contains)
        if let label = ofPlaces.first, ofPlaces.count == 1 { return label }
        if vantages.count == 1, let vantage = vantages.first {
            let label = name.withoutPlace(vantage)
            if labels.contains(label) { return label }
        }
        try labels.check(baseline: name)
        return name
    }
}
