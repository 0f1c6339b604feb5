import Statistics

/// The marks of one row: line from p5 to p95, box from p25 to p75, dot at the median; what lies
/// beyond the timeout is dashes and an arrow at the right end.
struct SpreadBar {
    let summary: LatencySummary
    let style: SeriesStyle?
    let plot: Plot
    let centre: Double

    var marks: [Mark] {
        guard summary.count > 0 else { return [] }
        guard let first = summary.p5 ?? summary.p25 ?? summary.median else {
            return [unanswered, arrow]
        }
        return whisker(from: first) + box + dot
    }

    private func whisker(from first: Double) -> [Mark] {
        let known = [summary.p95, summary.p75, summary.median, summary.p25].compactMap(\.self)
        let last = plot.x(known.max() ?? first)
        let start = plot.x(first)
        let body = Mark.line(
            from: Point(x: start, y: centre),
            to: Point(x: last, y: centre),
            .stroke(style)
        )
        guard summary.p95 == nil else { return [body, cap(at: start), cap(at: last)] }
        let tail = Mark.line(
            from: Point(x: last, y: centre),
            to: Point(x: plot.frame.right - 7, y: centre),
            .dotted(style)
        )
        return [body, tail, cap(at: start), arrow]
    }

    private var box: [Mark] {
        guard let p25 = summary.p25 else { return [] }
        let left = plot.x(p25)
        let right = summary.p75.map(plot.x) ?? plot.frame.right - 7
        let outline = Rect(x: left, y: centre - 6, width: max(right - left, 1), height: 12)
        return [.rect(outline, .ground), .rect(outline, .pale(style))]
            + [
                .line(
                    from: Point(x: left, y: centre),
                    to: Point(x: left + max(right - left, 1), y: centre),
                    .thin(style)
                )
            ]
    }

    private var dot: [Mark] {
        guard let median = summary.median else { return [] }
        return [.disc(centre: Point(x: plot.x(median), y: centre), radius: 4.5, .fill(style))]
    }

    private func cap(at x: Double) -> Mark {
        .line(from: Point(x: x, y: centre - 4), to: Point(x: x, y: centre + 4), .stroke(style))
    }

    private var arrow: Mark {
        let tip = Point(x: plot.frame.right, y: centre)
        let outline = Path(
            through: [
                tip, Point(x: tip.x - 8, y: centre - 5), Point(x: tip.x - 8, y: centre + 5),
            ],
            closed: true
        )
        return .path(outline, .fill(style))
    }

    private var unanswered: Mark {
        .text(
            "no answer",
            at: Point(x: plot.frame.right - 14, y: centre + 4),
            anchor: .end,
            .small
        )
    }
}
