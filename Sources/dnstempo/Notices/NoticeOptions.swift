import ArgumentParser

/// Who is told when something happened to a resolver.
struct NoticeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Tell this program, or the word desktop, when a resolver becomes unreachable (2 rounds \
            and 4 queries without a response, while others respond), recovers (2 rounds with \
            one), or a change is established; repeatable.
            """,
            discussion: """
                A program is a path or a name in PATH, without arguments; it gets JSON \
                (dnstempo.notice/1) on its standard input and has 10 s. Of one kind for one \
                resolver there is at most one notice an hour.
                """,
            valueName: "program"
        )
    )
    var notify: [String] = []
}
