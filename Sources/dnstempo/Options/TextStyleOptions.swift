import ArgumentParser
import Reports

extension ArgumentHelp {
    /// The help of the flag that `Terminal.wantsASCII` reads, in every command with text for people.
    static let ascii: ArgumentHelp = "Print ASCII only, as TERM=dumb and LANG=C do."
}

extension TextFormat {
    /// The format of text on standard output.
    static func ofTerminal(colour: Bool = true, isVerbose: Bool = false) -> TextFormat {
        let terminal = Terminal.output
        return TextFormat(
            width: terminal.size.columns,
            colour: colour && terminal.allowsColour,
            isVerbose: isVerbose,
            isPlain: Terminal.wantsPlain
        )
    }
}

/// The characters of text for people.
struct CharacterOptions: ParsableArguments {
    @Flag(help: .ascii)
    var ascii = false

    @Flag(help: "Print a sentence per row, for screen readers.")
    var plain = false
}

/// The style of text for people.
struct TextStyleOptions: ParsableArguments {
    @Flag(help: "Disable colour, as NO_COLOR does.")
    var noColor = false

    @OptionGroup var characters: CharacterOptions
}
