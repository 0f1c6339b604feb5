package import Charts

extension PageFragments {
    /// A chart as large as the page, and drawn anew where that is a phone's; its title, subtitle and
    /// footer are text of the page.
    package static func figure(_ sheet: Sheet) -> HTML {
        var drawn = sheet
        (drawn.title, drawn.subtitle, drawn.footer) = ("", "", "")
        let bare = drawn
        let forms: [(String, Sheet.Form)] = [("wide", .wide), ("narrow", .narrow)]
        let drawings = Concurrently.map(forms) { name, form in
            HTML(.div, [.class(name)], HTML(TrustedMarkup(bare.svg(form))))
        }
        let words = [sheet.title, sheet.subtitle, sheet.footer].filter { !$0.isEmpty }
        let caption =
            words.isEmpty ? [] : [HTML(.figcaption, HTML(text: words.joined(separator: " ")))]
        return HTML(.figure, [], caption + drawings)
    }
}
