import Servers

/// Runs `body` with the addresses of two resolvers. The second resolver is silent while the flag is set. The
/// first one always answers.
func withSilencedResolver(
    in folder: TemporaryFolder,
    _ body: (_ good: SocketAddress, _ bad: SocketAddress, FlagFile) async throws -> Void
) async throws {
    let flag = FlagFile(path: folder.file("silent"))
    try await withResponder {
        [.reply($0.answer())]
    } _: { good in
        try await withResponder {
            flag.isSet ? [] : [.reply($0.answer())]
        } _: { bad in
            try await body(good.endpoint, bad.endpoint, flag)
        }
    }
}
