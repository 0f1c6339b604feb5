import Foundation
import Servers
import Testing

/// States that the program publishes at a broker of MQTT.
@Suite struct BrokerTests: SamplingTests {
    let folder = TemporaryFolder()

    @Test func `each resolver has the state that reports compute, and five sensors`() async throws {
        try await withServer(Mosquitto()) { broker in
            let watch = try await run(
                ["watch", "--lab", "--rounds", "3", "--interval", "0s", "--store", "s.sqlite"]
                    + ["--baseline", "cliff", "--vantage", "my house"]
                    + ["--mqtt", "mqtt://127.0.0.1:\(broker.port)/house"]
            )
            #expect(watch.errors == "")
            let report = try await run(
                ["report", "--store", "s.sqlite", "--since", "1h", "--format", "json"]
            )
            let rows = try #require(try JSON(report.output)["rows"] as? [[String: Any]])
            try #require(rows.count > 3)
            let messages = try await Mosquitto.messages(of: broker, count: rows.count * 6)
            for row in rows {
                let name = try #require(row["name"] as? String)
                let topic = "house/my_house/\(name)/udp/cached"
                let text = try #require(messages[topic])
                Documents.keep(Array(text.utf8), of: ["watch", "--mqtt"])
                let state = try JSON(text)
                #expect(state["schema"] as? String == "dnstempo.state/1")
                #expect(state["p95_ms"] as? Double == row["p95_ms"] as? Double, "\(name)")
                #expect(state["sent"] as? Int == row["sent"] as? Int)
                #expect(state["no_response_rate"] as? Double == row["no_response_rate"] as? Double)
                #expect((state["latency_ms"] as? Double ?? -1) > 0)
                #expect((state["verdict"] as? String == "in-use") == (name == "cliff"))
                let sensors = try messages.filter { $0.key.contains("_\(name)_") }
                    .map { (try JSON($0.value), $0.key) }
                #expect(sensors.count == 5)
                for (sensor, place) in sensors {
                    #expect(place.hasPrefix("homeassistant/sensor/dnstempo_my_house_\(name)_"))
                    #expect(sensor["state_topic"] as? String == topic)
                    #expect(sensor["expire_after"] as? Int == 120)
                    #expect((sensor["unique_id"] as? String)?.hasPrefix("dnstempo_") == true)
                }
                #expect(Set(sensors.compactMap { $0.0["unique_id"] as? String }).count == 5)
            }
        }
    }

    @Test func `a broker gets a login from a file`() async throws {
        let login = try folder.write("me\nsecret\n", to: "login")
        let wrong = try folder.write("me\nother\n", to: "wrong")
        let bad = try folder.write("a\nb\nc\n", to: "bad")
        try await withServer(Mosquitto(needsLogin: true)) { broker in
            let url = "mqtt://127.0.0.1:\(broker.port)"
            #expect(try await sample("--mqtt", url, "--mqtt-login", login).errors == "")
            for arguments in [["--mqtt", url], ["--mqtt", url, "--mqtt-login", wrong]] {
                let refused = try await run(
                    ["sample", "--lab", "meadow", "--store", "s.sqlite"] + arguments
                )
                #expect(
                    refused.errors
                        == "dnstempo: the broker at 127.0.0.1:\(broker.port) refuses this "
                        + "program (Connection Refused: not authorised.): see --mqtt-login\n"
                )
            }
            let failed = try await sample("--mqtt", url, "--mqtt-login", bad, code: 65)
            #expect(failed.errors.contains("'\(bad)': write the user into its first line"))
        }
    }

    @Test func `an encrypted broker needs a trusted certificate`() async throws {
        let (_, authority, certificate) = try await ThrowawayAuthority.certified()
        try await withServer(Mosquitto(certificate)) { broker in
            let url = "mqtts://127.0.0.1:\(broker.port)"
            let trusted = try await sample(
                "--mqtt",
                url,
                environment: ["SSL_CERT_FILE": authority.root]
            )
            #expect(trusted.errors == "")
            let failed = try await sample("--mqtt", url)
            #expect(failed.errors.contains("cannot be reached (A TLS error occurred.)"))
        }
    }

    /// Debian's package openssl has the folder in which OpenSSL looks for certificates. Images often lack it.
    @Test(.enabled(if: geteuid() == 0))
    func `a system without the package openssl trusts its certificates`() async throws {
        let (_, authority, certificate) = try await ThrowawayAuthority.certified()
        let bundle = "/etc/ssl/certs/ca-certificates.crt"
        try await withServer(Mosquitto(certificate)) { broker in
            let published = try await Program("unshare", package: "util-linux").run(
                [
                    "--mount", "sh", "-c",
                    "mount --bind \"$0\" \(bundle) && mount -t tmpfs none /usr/lib/ssl && exec \"$@\"",
                    authority.root, Program.dnstempo().path,
                    "sample", "--lab", "meadow", "-d", "example.com", "--store", "s.sqlite",
                    "--mqtt", "mqtts://127.0.0.1:\(broker.port)",
                ],
                environment: Binary.environment(home: folder.path),
                in: folder.path
            )
            #expect(published.errors == "" && published.code == 0)
        }
    }

    @Test func `a watch reports an unreachable broker once`() async throws {
        let port = try Loopback.freePort()
        let watch = try await run(
            ["watch", "--lab", "meadow", "-d", "example.com", "--store", "s.sqlite"]
                + ["--rounds", "3", "--interval", "0s", "--mqtt", "mqtt://127.0.0.1:\(port)"]
        )
        #expect(
            watch.errors
                == "dnstempo: the broker at 127.0.0.1:\(port) cannot be reached (Connection "
                + "refused); the next round publishes the state\n"
        )
        #expect(watch.output.contains("3 rounds stored"))
    }

    @Test func `a plain connection to an encrypted port is reported in one line`() async throws {
        let (_, _, certificate) = try await ThrowawayAuthority.certified()
        try await withServer(Mosquitto(certificate)) { broker in
            let failed = try await sample("--mqtt", "mqtt://127.0.0.1:\(broker.port)")
            #expect(failed.errors.split(separator: "\n").count == 1)
            #expect(
                failed.errors.contains("the broker at 127.0.0.1:\(broker.port) cannot be reached")
            )
        }
    }

    @Test(arguments: [
        (arguments: ["--mqtt", "broker:1883"], words: "is no URL of a broker of MQTT"),
        (["--mqtt", "http://127.0.0.1:1883"], "write mqtt://broker.example:1883"),
        (["--mqtt", "mqtt://me:secret@127.0.0.1"], "--mqtt-login"),
        (["--mqtt", "mqtt://127.0.0.1/a+b"], "'/a+b' is no beginning of topics"),
        (["--mqtt", "mqtt://127.0.0.1/$SYS"], "'/$SYS' is no beginning of topics"),
        (["--mqtt", "mqtt://192.0.2.1"], "192.0.2.1 is outside the allowed networks"),
        (["--mqtt-login", "/dev/null"], "--mqtt-login needs --mqtt: add --mqtt mqtt://HOST"),
    ])
    func `an invalid broker is rejected before any query`(
        arguments: [String],
        words: String
    ) async throws {
        try await expectRefused(arguments, words)
    }

    @Test func `a login is not sent unencrypted to another network`() async throws {
        let login = try folder.write("me\nsecret\n", to: "login")
        let arguments = ["sample", "--lab", "meadow", "--store", "s.sqlite", "--mqtt-login", login]
        let refused = try await run(
            arguments + ["--mqtt", "mqtt://192.0.2.1"],
            environment: ["DNSTEMPO_ALLOW_NET": "192.0.2.0/24,127.0.0.0/8"],
            code: 64
        )
        #expect(refused.errors.contains("write mqtts:// into the URL"))
    }

    @Test func `a schedule keeps the broker and the path of its login`() async throws {
        _ = try folder.write("me\nsecret\n", to: "login")
        let printed = try await run(
            ["schedule", "print", "--every", "5m", "127.0.0.1:5399"]
                + ["--mqtt", "mqtt://127.0.0.1/x", "--mqtt-login", "login"]
        )
        #expect(
            printed.output.contains(
                "--mqtt mqtt://127.0.0.1/x --mqtt-login \(folder.path)/login"
            )
        )
    }

    @Test func `without a store, --mqtt is rejected`() async throws {
        try await expectRefusedWithoutStore("--mqtt", "mqtt://127.0.0.1:9")
    }
}
