package import Catalogue
import Failures
package import Statistics

extension ServiceObjective {
    /// Reads `pNN < TIME`, `median < TIME` or `answered within TIME >= SHARE%`, with or without spaces. `<`
    /// and `<=` are equivalent, and so are `>` and `>=`. `option` is the option that error messages name, if
    /// there is one.
    package init(parsing text: String, of option: String? = nil) throws(CatalogueError) {
        let words = text.split(whereSeparator: { $0 == " " })
        let isShare = words.first == "answered" && words.dropFirst().first == "within"
        // The remaining text contains no words that need a space between them.
        let rest = words.dropFirst(isShare ? 2 : 0).joined()
        let signs = isShare ? [">=", ">"] : ["<=", "<"]
        guard let place = signs.lazy.compactMap(rest.firstRange).first else {
            throw Self.refused(text, "not an objective" + Self.advice, option)
        }
        let (left, right) = (String(rest[..<place.lowerBound]), String(rest[place.upperBound...]))
        let limit: Duration
        do throws(CatalogueError) {
            limit = try Duration(parsing: isShare ? left : right)
        } catch {
            throw Self.refused(text, error.description, option)
        }
        let share = isShare ? Double(percentage: right) : Self.quantile(left)
        guard let share else {
            let reason =
                isShare
                ? "'\(right)' is not a percentage; write one such as: 99% or 99.5%"
                : "'\(left)' is not a percentile" + Self.advice
            throw Self.refused(text, reason, option)
        }
        guard limit > .zero else {
            throw Self.refused(text, "choose a time above 0, such as 50ms", option)
        }
        // 99.9 / 100 differs from the fraction 0.999.
        let target = (share * 1e12).rounded() / 1e12
        let milliseconds = limit / .milliseconds(1)
        guard let made = Self(limit: milliseconds, target: target, isQuantile: !isShare) else {
            let reason = "choose a share above 0 and below 100 %, so that some may fail"
            throw Self.refused(text, reason, option)
        }
        self = made
    }

    private static let advice = "; write 'p95 < 50ms' or 'answered within 100ms >= 99.5%'"

    /// Reads `median`, `p95` or `p99.9` as a fraction.
    private static func quantile(_ text: String) -> Double? {
        if text == "median" { return 0.5 }
        return text.hasPrefix("p") ? Double(percentage: String(text.dropFirst()) + "%") : nil
    }

    private static func refused(
        _ text: String,
        _ reason: String,
        _ option: String?
    ) -> CatalogueError {
        let place = option.map { "\($0) " } ?? ""
        return CatalogueError(.usage, "\(place)'\(text.prefix(100))': \(reason)")
    }
}

extension Double {
    /// Reads `1%` or `0.5 %`, from 0 to 100, as a fraction.
    package init?(percentage text: some StringProtocol) {
        guard text.hasSuffix("%") else { return nil }
        let number = text.dropLast().trimmingSpaces
        guard number.count <= 18, number.first?.isNumber == true,
            number.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
            let percent = Double(String(number)), percent <= 100
        else { return nil }
        self = percent / 100
    }
}
