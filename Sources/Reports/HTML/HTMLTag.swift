/// The elements that pages are made of.
package enum HTMLTag: String, Hashable, Sendable, CaseIterable {
    case a, abbr, article, body, br, button, caption, code, dd, details, div, dl, dt, em,
        figcaption,
        figure, footer, form, h1, h2, h3, head, header, input, label, li, link, main, meta, nav, ol,
        option, p, pre, section, select, small, span, strong, summary, table, tbody, td, th, thead,
        time, title, tr, ul

    /// Whether it has neither content nor an end tag (HTML §13.1.2).
    var isVoid: Bool { [.br, .input, .link, .meta].contains(self) }

    /// Those that begin a line of the page's source, so that it can be read.
    var lineBreak: String {
        switch self {
        case .article, .body, .details, .div, .dl, .figure, .footer, .form, .head, .header, .main,
            .nav, .ol, .section, .table, .tbody, .thead, .tr, .ul:
            "\n"
        default: ""
        }
    }
}
