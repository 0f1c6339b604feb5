import Foundation

/// A zone that is signed with its own key. The address of `bad` differs from the signed address.
package struct SignedZone: Sendable {
    /// The zone's name, with its final dot.
    package let name: String
    /// The trust anchor for resolvers: a DS record.
    package let anchor: String
    package let file: String

    /// Creates and signs a zone with the names `good`, `bad` and `large`. The text of `large` exceeds a
    /// datagram of 512 bytes.
    package init(_ name: String, in folder: TemporaryFolder) async throws {
        let text = String(repeating: "x", count: 250)
        let plain = try folder.write(
            """
            $ORIGIN \(name)
            @ 300 IN SOA ns hostmaster 1 3600 900 604800 60
            @ 300 IN NS ns
            ns 300 IN A 127.0.0.1
            good 300 IN A 192.0.2.10
            bad 300 IN A 192.0.2.66
            large 300 IN TXT "\(text)" "\(text)" "\(text)"

            """,
            to: "\(name)zone"
        )
        let key = try await Self.run(
            "ldns-keygen",
            ["-a", "ECDSAP256SHA256", "-k", name],
            in: folder
        )
        let base = key.trimmingCharacters(in: .whitespacesAndNewlines)
        file = folder.file("\(name)signed")
        _ = try await Self.run("ldns-signzone", ["-f", file, plain, base], in: folder)
        let signed = folder.text("\(name)signed")
        _ = try folder.write(
            signed.replacingOccurrences(of: "192.0.2.66", with: "192.0.2.67"),
            to: "\(name)signed"
        )
        self.name = name
        anchor = folder.text("\(base).ds").trimmingCharacters(in: .whitespacesAndNewlines)
            .replacingOccurrences(of: "\t", with: " ")
    }

    private static func run(
        _ command: String,
        _ arguments: [String],
        in folder: TemporaryFolder
    ) async throws -> String {
        let run = try await Program(command, package: "ldnsutils")
            .run(arguments, in: folder.path)
        guard run.code == 0 else { throw ServerError("\(command) failed: \(run.errors)") }
        return run.output
    }
}

extension Array<SignedZone> {
    /// Returns the lines of unbound's configuration that make it serve the zones. They belong in the
    /// `server:` section and after it.
    package func unboundSettings(validating: Bool) -> [String] {
        let trust = validating ? ["module-config: \"validator iterator\"", "ede: yes"] : []
        let names = flatMap { zone in
            ["local-zone: \"\(zone.name)\" transparent"]
                + (validating ? ["trust-anchor: \"\(zone.anchor)\""] : [])
        }
        let zones = flatMap { zone in
            [
                "auth-zone:", "name: \"\(zone.name)\"", "zonefile: \"\(zone.file)\"",
                "for-downstream: no", "for-upstream: yes",
            ]
        }
        return trust + names + zones
    }
}
