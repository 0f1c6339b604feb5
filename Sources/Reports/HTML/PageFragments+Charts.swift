public import Charts

extension PageFragments {
    /// A chart as large as the page, and, where that is a phone's, drawn anew for it.
    public static func figure(_ sheet: Sheet) -> HTML {
        let forms: [(String, Sheet.Form)] = [("wide", .wide), ("narrow", .narrow)]
        return HTML(
            .figure,
            [],
            forms.map { name, form in
                HTML(.div, [.class(name)], HTML(TrustedMarkup(sheet.svg(form))))
            }
        )
    }
}
