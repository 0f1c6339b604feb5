import Catalogue
import DNSWire
import Failures
import Fixtures
import Measurement
import Samples
import Synchronization
import Testing

@testable import Runs

struct OrderBuilderTests {
    /// A console that records messages and gives a fixed answer. `nil` means that there is no
    /// terminal.
    final class Told: RunConsole {
        let lines = Mutex<[String]>([])
        let answer: Bool?

        init(answer: Bool? = nil) { self.answer = answer }

        func mention(_ text: String) { lines.withLock { $0.append(text) } }
        func agrees(to question: String) -> Bool? { answer }
    }

    /// The request for a comparison in the lab.
    private static var lab: RunRequest {
        var request = RunRequest()
        request.lab = "default"
        request.comparison = ComparisonRequest()
        request.options[.domains] = .names(["a.example", "b.example"])
        return request
    }

    private static func refusal(_ change: (inout RunRequest) -> Void) -> Refusal {
        var request = lab
        change(&request)
        return Refusal(request: request)
    }

    struct Refusal: Sendable { var request: RunRequest }

    static let refusals: [(Refusal, String)] = [
        (
            refusal {
                $0.load = LoadRequest()
                $0.options[.series] = ["cached", "uncached"]
            },
            "--series cannot be combined with --under-load"
        ),
        (
            refusal {
                $0.load = LoadRequest()
                $0.options[.sampling] = .poisson
            },
            "--sampling cannot be combined with --under-load"
        ),
        (
            refusal {
                $0.load = LoadRequest()
                $0.options[.duration] = .seconds(10)
            },
            "--duration cannot be combined with --under-load"
        ),
        (
            refusal {
                $0.load = LoadRequest()
                $0.options[.maxRounds] = 20
            },
            "--max-rounds cannot be combined with --under-load"
        ),
        (
            refusal {
                $0.load = LoadRequest()
                $0.comparison?.resumes = true
            },
            "--resume cannot be combined with --under-load"
        ),
        (
            refusal {
                $0.load = LoadRequest()
                $0.comparison?.wantsStrategies = true
            },
            "--strategies cannot be combined with --under-load"
        ),
        (
            refusal { $0.usesCatalogue = true },
            "--catalogue and --lab cannot be combined; give one"
        ),
        (
            refusal { $0.resolvers = ["harbor"] },
            "unknown resolver 'harbor'; did you mean 'harbour'?"
        ),
        (
            refusal { $0.options[.baseline] = "harbor" },
            "--baseline: 'harbor' is not among the resolvers asked; choose one of "
        ),
        (
            refusal { $0.trust.authority = "ca.pem" },
            "--ca needs an encrypted transport, and no resolver uses one: "
        ),
        (
            refusal {
                $0.options[.sampling] = .poisson; $0.comparison?.wantsStrategies = true
            },
            "--strategies needs each name sent to all at one moment: "
        ),
        (
            refusal { $0.options[.names] = 30 },
            "--names is the length of an as-found list: add --series as-found, or leave it out"
        ),
        (
            refusal {
                $0.options[.series] = ["as-found"]; $0.options[.rounds] = 3
            },
            "--rounds: --series as-found asks a list of names once and then ends; "
        ),
        (
            refusal {
                $0.options[.series] = ["as-found"]; $0.comparison?.resumes = true
            },
            "--resume: --series as-found asks every resolver a list of names once and then ends; "
        ),
        (
            refusal {
                $0.options[.series] = ["as-found"]; $0.comparison = nil
            },
            "--series as-found is judged once, at the end of a list of names: use compare"
        ),
        (
            refusal {
                $0.options[.types] = ["browser"]; $0.comparison = nil
            },
            "--type browser compares what a browser waits for: use compare"
        ),
        (
            refusal { $0.expectations = ["c.example A 192.0.2.1"] },
            "--expect 'c.example A 192.0.2.1': c.example A is not asked for: "
        ),
        (
            refusal { $0.options[.zones] = ["z.example"] },
            "--zone is for uncached names: add --series cached,uncached, or leave it out"
        ),
        (
            refusal {
                $0.options[.bufferSize] = 0; $0.options[.cookie] = true
            },
            "--bufsize 0 sends no EDNS, which --cookie needs: leave out one"
        ),
    ]

    @Test(arguments: refusals)
    func `an impossible request is rejected before anything is sent`(
        refusal: Refusal,
        words: String
    ) async throws {
        let error = await #expect(throws: (any Error).self) {
            try await OrderBuilder(refusal.request, Told()).check()
        }
        let failure = try #require(error as? any ExitStatusError)
        #expect(failure.status == .usage)
        #expect(failure.description.hasPrefix(words), "\(failure.description)")
    }

    @Test func `an order contains the lab's resolvers and baseline, and every name`()
        async throws
    {
        let order = try await OrderBuilder(Self.lab, Told()).order()
        #expect(order.resolvers.map(\.label).contains("harbour"))
        #expect(order.plan.targets.map(\.label) == order.resolvers.map(\.label))
        #expect(order.plan.questions.map(\.name.description) == ["a.example", "b.example"])
        #expect(order.baseline == order.lab?.baseline)
        #expect(order.baselineInUse == order.baseline)
        #expect(order.unmeasured.isEmpty && order.rememberedNotes.isEmpty)
        #expect(order.plan.isOpenEnded)
    }

    @Test func `rounds of a schedule have a fixed length`() async throws {
        var request = Self.lab
        request.comparison = nil
        let order = try await OrderBuilder(request, Told()).order()
        #expect(!order.plan.isOpenEnded)
    }

    @Test(arguments: [
        (nil, "--domains-from reads your browser's history: without a terminal to ask you on, "),
        (false, "your history was not read; name domains with --domain"),
    ])
    func `the browser history is read only with the user's consent`(
        answer: Bool?,
        words: String
    ) async throws {
        let folder = TemporaryFolder()
        var request = Self.lab
        request.history = try folder.write("", to: "places.sqlite")
        request.options[.domains] = nil
        let failure = await #expect(throws: Failure.self) {
            try await OrderBuilder(request, Told(answer: answer))
        }
        #expect(failure?.description.hasPrefix(words) == true, "\(failure?.description ?? "")")
    }

    @Test(arguments: [false, true])
    func `an insecure option gives a warning, now and for a schedule`(isForLater: Bool) async throws
    {
        var request = RunRequest()
        request.resolvers = ["one=tls://127.0.0.1:9#one.example"]
        request.options[.domains] = .names(["a.example"])
        request.trust.verifiesNothing = true
        request.isForLater = isForLater
        let console = Told()
        let builder = try await OrderBuilder(request, console)
        if isForLater { try await builder.check() } else { _ = try await builder.order() }
        #expect(
            console.lines.withLock(\.self)
                == ["--insecure: certificates are NOT verified; any server may answer"]
        )
    }

    @Test func `a repeated order keeps the lab`() async throws {
        let first = try await OrderBuilder(Self.lab, Told()).order()
        let second = try await OrderBuilder(Self.lab, keeping: first.lab, Told()).order()
        #expect(second.resolvers == first.resolvers)
    }

    @Test func `strategies lengthen a run without a given length`() async throws {
        var request = Self.lab
        request.comparison?.wantsStrategies = true
        #expect(try await OrderBuilder(request, Told()).options[.rounds] == 60)
        request.options[.rounds] = 5
        #expect(try await OrderBuilder(request, Told()).options[.rounds] == 5)
    }
}
