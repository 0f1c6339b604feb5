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
    /// One a class of losses: from the second on, each stands out more than the one before, so
    /// that their order is seen without colour too.
    let losses: [Colour]
    /// The greys of a density, from the palest.
    let smoke: [Colour]

    /// From fast to slow: yellow over green to blue at even steps of the lightness of CIELAB, so
    /// that the order is seen by colour-blind eyes and without colour (the idea of viridis: Smith
    /// and van der Walt 2015).
    static let heat = [
        0xFBF094, 0xE6E58C, 0xD0D984, 0xBACE7D, 0xA5C278, 0x93B57A, 0x7FA97B, 0x6B9D7C,
        0x5B907D, 0x51827C, 0x46747C, 0x3A677B, 0x335978, 0x2E4B74, 0x273E6F, 0x1F316B,
    ].map(Colour.init)

    /// Okabe and Ito's palette (Color Universal Design, 2008) without its yellow; orange and sky
    /// blue are darkened, since as published they stand out 2.2 : 1 from white, not 3 : 1.
    static let light = Palette(
        ground: Colour(0xFFFFFF),
        ink: Colour(0x1C1E21),
        quiet: Colour(0x5B6067),
        grid: Colour(0xE4E6EA),
        rest: Colour(0x8D9299),
        series: [0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xB57B00, 0x2E8BC0, 0x3A3D42]
            .map(Colour.init),
        losses: [0x0072B2, 0xB57B00, 0xC4480B, 0xA32A62, 0x641C7E, 0x1C1E21].map(Colour.init),
        smoke: [0xEBEDF0, 0xDADDE2, 0xC6CAD1, 0xB0B5BD, 0x979DA6, 0x7D838D].map(Colour.init)
    )

    /// The same hues as published, sky blue first, since blue is the darkest of them.
    static let dark = Palette(
        ground: Colour(0x15171A),
        ink: Colour(0xECEEF1),
        quiet: Colour(0xA6ACB4),
        grid: Colour(0x2C3036),
        rest: Colour(0x70767E),
        series: [0x56B4E9, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x0072B2, 0xC9CDD3]
            .map(Colour.init),
        losses: [0x56B4E9, 0xA8791A, 0xE0702C, 0xF08DB4, 0xE2C0F5, 0xF7F8F9].map(Colour.init),
        smoke: [0x262B31, 0x353B43, 0x474E57, 0x5C636D, 0x737B86, 0x8D95A0].map(Colour.init)
    )

    /// Whether light text is to be put on a colour of the heat map.
    static func isDark(heat place: Int) -> Bool { place > 9 }
}
