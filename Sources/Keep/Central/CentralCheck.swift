import Samples
package import Store

extension CentralReader {
    /// Checks each place's rows like ``Store/check(sumsFrom:)``, and its days. Places that the user leaves
    /// out, and sums that have not arrived, are ``CheckResult/unchecked``.
    package func check() throws -> CheckResult {
        var all = CheckResult(findings: [])
        for place in try places() {
            guard !leftOut.chosen.contains(place.source) else {
                all.unchecked.append("\(place.title) was not checked: it is left out")
                continue
            }
            for (name, shown) in place.foreignNames.prefix(CheckResult.mostNotes) {
                all.notes.append(
                    "\(place.title) has rounds of the vantage point '\(name)', which is another place's name: "
                        + "they are shown as '\(shown)'"
                )
            }
            do {
                let part = try check(place)
                all.rounds += part.rounds
                all.samples += part.samples
                all.rollups += part.rollups
                all.findings += part.findings
                all.unchecked += part.unchecked
            } catch let error as CentralError where error.isOfStatement {
                all.findings.append("\(place.title): \(error)")
            }
        }
        return all
    }
}

extension CentralHistory {
    static func check(_ place: Place, _ central: CentralConnection) throws -> CheckResult {
        let (stores, unread) = try stores(of: [place], CentralReader.always, .samples, central)
        let days = try days(of: [place], central)
        var all = try stores.first?.check(sumsFrom: place.sumsFrom) ?? CheckResult(findings: [])
        all.findings = all.findings.map { "\(place.title): \($0)" }
        if place.sumsFrom != nil, all.rounds > 0 {
            all.unchecked.append(
                "\(place.title): its latest hourly sums were not checked, since they are still to come: "
                    + "have the place ship"
            )
        }
        for fault in Set(unread + days.unread).sorted(by: { $0.reason < $1.reason }) {
            if fault.isExcessive {
                all.unchecked.append("\(place.title) was not checked: \(fault.reason)")
            } else {
                all.findings.append("\(place.title): \(fault.reason)")
            }
        }
        return all
    }
}
