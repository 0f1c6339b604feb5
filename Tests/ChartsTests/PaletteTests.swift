import Foundation
import Statistics
import Testing

@testable import Charts

extension String {
    /// Red, green and blue of `#rrggbb`, from 0 to 255.
    fileprivate var components: [UInt32] {
        stride(from: 1, to: 7, by: 2).compactMap { UInt32(dropFirst($0).prefix(2), radix: 16) }
    }
}

struct PaletteTests {
    private static let palettes = [Palette.light, .dark]

    /// The contrast ratio of WCAG 2.1.
    private func contrast(_ one: String, _ other: String) -> Double {
        func luminance(_ colour: String) -> Double {
            let linear = colour.components.map { component in
                let value = Double(component) / 255
                return value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
        }
        let (a, b) = (luminance(one), luminance(other))
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }

    @Test(arguments: palettes)
    func `marks have enough contrast with the background`(palette: Palette) {
        for colour in palette.series + [palette.rest] {
            #expect(contrast(colour, palette.ground) >= 3, "\(colour)")
        }
    }

    @Test(arguments: palettes)
    func `text is readable on the background and on a band`(palette: Palette) {
        #expect(contrast(palette.ink, palette.ground) >= 7)
        #expect(contrast(palette.quiet, palette.ground) >= 4.5)
        #expect(contrast(palette.ink, palette.grid) >= 7)
    }

    @Test func `labelled lines are distinguishable without colour`() {
        let styles = (0..<SeriesStyle.limit).map(SeriesStyle.init)
        #expect(Set(styles.map(\.marker)).count == SeriesStyle.limit)
        #expect(Set(styles.map { [$0.colour, $0.dash] }).count == SeriesStyle.limit)
        #expect(Palette.light.series.count == Palette.dark.series.count)
    }

    @Test(arguments: [2, 6, 7, 9, 12])
    func `neighbours in any chart differ in hue`(count: Int) throws {
        // A sheet can have this number of resolvers. Every fifth resolver is lossy and near the bottom of the
        // labels.
        var subjects = [ChartSubject].crowd(count)
        for index in subjects.indices where index % 5 == 0 { subjects[index].summary.median = 900 }
        let styles = SeriesStyle.assigned(to: subjects)
        let ordered = subjects.indices.sorted { subjects[$0].isAbove(subjects[$1]) }
        for order in [Array(subjects.indices), ordered] {
            for (one, next) in zip(order, order.dropFirst()) {
                #expect(try #require(styles[one]).colour != #require(styles[next]).colour)
            }
        }
        #expect(Set(styles).count == count)
        #expect(Set(styles.prefix(6).map { $0?.colour }).count == min(count, 6))
    }

    @Test func `a resolver has the same colour in every chart of a history`() {
        var subjects = [ChartSubject].crowd(12)
        for index in subjects.indices { subjects[index].order = index }
        let styles = Dictionary(
            uniqueKeysWithValues: zip(subjects.map(\.label), SeriesStyle.assigned(to: subjects))
        )
        // Charts with another order, or with only some of the resolvers, have the same styles.
        for part in [subjects.reversed(), [subjects[7]], [subjects[9], subjects[3], subjects[1]]] {
            for (subject, style) in zip(part, SeriesStyle.assigned(to: part)) {
                #expect(style == styles[subject.label])
            }
        }
        #expect(Set(styles.values).count == 12)
    }

    @Test func `two resolvers with equal order have two styles of one colour`() throws {
        var subjects = [ChartSubject].crowd(3)
        (subjects[0].order, subjects[1].order, subjects[2].order) = (4, 4, 16)
        let styles = try SeriesStyle.assigned(to: subjects).map { try #require($0) }
        #expect(styles[0].colour == styles[1].colour && styles[0] != styles[1])
        #expect(Set(styles).count == 3)
    }

    @Test func `the used and recommended resolvers always have a style`() {
        var subjects = [ChartSubject].crowd(40, rounds: 1, names: 1)
        subjects[30].role = .advised
        let styles = SeriesStyle.assigned(to: subjects)
        #expect(styles.count { $0 != nil } == SeriesStyle.limit)
        #expect(styles[30] != nil && styles[39] != nil)
        #expect(styles[11] == nil)
    }

    @Test(arguments: palettes)
    func `higher losses have more contrast`(palette: Palette) {
        let contrasts = palette.losses.dropFirst().map { contrast($0, palette.ground) }
        #expect(contrasts == contrasts.sorted())
        #expect(palette.losses.allSatisfy { contrast($0, palette.ground) >= 3 })
        #expect(palette.losses.count == LossClass.allCases.count)
    }

    @Test(arguments: palettes)
    func `the parts of a first answer differ without colour`(palette: Palette) {
        let (amber, ground) = (palette.series[4], palette.ground)
        // The leading 1 keeps the zeros at the start of the hexadecimal number.
        var mixed: UInt32 = 1
        for (front, back) in zip(amber.components, ground.components) {
            mixed = mixed << 8 | UInt32((0.38 * Double(front) + 0.62 * Double(back)).rounded())
        }
        let handshake = "#\(String(mixed, radix: 16).dropFirst())"
        let (connect, query) = (palette.rest, palette.series[0])
        for (one, other) in [(connect, handshake), (handshake, query), (connect, query)] {
            #expect(contrast(one, other) >= 1.5, "\(one) beside \(other)")
        }
    }

    @Test(arguments: palettes)
    func `denser smoke has more contrast`(palette: Palette) {
        let contrasts = palette.smoke.map { contrast($0, palette.ground) }
        #expect(contrasts == contrasts.sorted() && contrasts[0] > 1.1)
        #expect(palette.smoke.count == DensityShades.shares.count)
    }

    @Test func `a slower cell is darker and its figure is readable`() {
        let (black, white) = ("#000000", "#ffffff")
        let lightness = Palette.heat.map { contrast($0, black) }
        #expect(lightness == lightness.sorted().reversed())
        for (place, colour) in Palette.heat.enumerated() {
            let ink = Palette.isDark(heat: place) ? white : black
            #expect(contrast(colour, ink) >= 4.5, "\(colour)")
        }
    }
}
