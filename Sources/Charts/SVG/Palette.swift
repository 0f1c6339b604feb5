/// A colour of the sRGB space.
struct Colour: Hashable, Sendable {
    let red: UInt8
    let green: UInt8
    let blue: UInt8

    init(_ rgb: UInt32) {
        red = UInt8(truncatingIfNeeded: rgb >> 16)
        green = UInt8(truncatingIfNeeded: rgb >> 8)
        blue = UInt8(truncatingIfNeeded: rgb)
    }

    /// `#rrggbb`.
    var hex: String {
        "#"
            + [red, green, blue].map { component in
                let digits = String(component, radix: 16)
                return digits.count == 1 ? "0" + digits : digits
            }.joined()
    }
}

/// The colours of a chart on a light or on a dark ground.
struct Palette: Hashable, Sendable {
    let ground: Colour
    let ink: Colour
    let quiet: Colour
    let grid: Colour
    let rest: Colour
    let series: [Colour]

    /// Okabe and Ito's palette (Color Universal Design, 2008) without its yellow; orange and sky
    /// blue are darkened, since as published they stand out 2.2 : 1 from white, not 3 : 1.
    static let light = Palette(
        ground: Colour(0xFFFFFF),
        ink: Colour(0x1C1E21),
        quiet: Colour(0x5B6067),
        grid: Colour(0xE4E6EA),
        rest: Colour(0x8D9299),
        series: [0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xB57B00, 0x2E8BC0, 0x3A3D42]
            .map(Colour.init)
    )

    /// The same hues as published, sky blue first, since blue is the darkest of them.
    static let dark = Palette(
        ground: Colour(0x15171A),
        ink: Colour(0xECEEF1),
        quiet: Colour(0xA6ACB4),
        grid: Colour(0x2C3036),
        rest: Colour(0x70767E),
        series: [0x56B4E9, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x0072B2, 0xC9CDD3]
            .map(Colour.init)
    )
}
