import Foundation
import Samples
import Testing

@testable import Catalogue

struct BundledDataTests {
    @Test func `every bundled resolver has a unique name and is usable or gives a reason`() throws {
        let entries = try ResolverCatalogue.bundled().entries
        #expect(entries.count == 183)
        #expect(Set(entries.map(\.name)).count == entries.count)
        for entry in entries {
            #expect(!entry.endpoints.isEmpty || entry.isEncryptedOnly, "\(entry.name)")
            let notation = try ResolverNotation(parsing: entry.name)
            #expect(notation.subject == .name(entry.name, all: false))
            #expect(entry.endpoints.allSatisfy { $0.address.isUnicast && $0.port == 53 })
        }
    }

    @Test func `bundled addresses belong to one resolver each`() throws {
        let addresses = try ResolverCatalogue.bundled().entries.flatMap { entry in
            entry.endpoints.map(\.address)
        }
        #expect(Set(addresses).count == addresses.count)
        #expect(addresses.count > 300)
    }

    @Test func `a dead resolver names active replacements`() throws {
        let catalogue = try ResolverCatalogue.bundled()
        var dead: [String] = []
        for entry in catalogue.entries {
            guard case .dead(let retirement) = entry.status else { continue }
            dead.append(entry.name)
            #expect(!retirement.instead.isEmpty)
            for name in retirement.instead { #expect(try catalogue.entry(named: name).isAskable) }
        }
        #expect(
            dead == [
                "mullvad", "mullvad-base", "mullvad-family", "mullvad-adblock", "mullvad-extended",
                "mullvad-all", "dns0", "norton", "freenom", "ahadns",
            ]
        )
    }

    @Test func `the default resolvers are worldwide and without filters`() throws {
        let defaults = try ResolverCatalogue.bundled().entries.filter(\.isDefault)
        #expect(defaults.count == 4)
        #expect(defaults.allSatisfy { $0.filtering == "none" && $0.isAskable })
    }

    @Test func `a property that sources dispute is marked as disputed`() throws {
        let entry = try ResolverCatalogue.bundled().entry(named: "quad9-unsecured")
        #expect(entry.dnssec == "disputed: yes (DC, KF), no (AG, DD)")
    }

    @Test func `each entry has a valid date, none later than the list's`() throws {
        let catalogue = try ResolverCatalogue.bundled()
        let date = try #require(catalogue.date)
        for entry in catalogue.entries {
            let confirmed = try #require(entry.confirmed)
            #expect(CivilDate(confirmed) != nil && confirmed <= date, "\(entry.name)")
        }
    }

    /// The maximum age of the list in days. An older list must be compared with its sources again.
    private static let longest = 180

    private static func isOverdue(_ day: CalendarDay, on today: CivilDate) -> Bool {
        guard let date = CivilDate(day) else { return true }
        return today.daysSinceEpoch - date.daysSinceEpoch > longest
    }

    /// Returns the day in `DNSTEMPO_TODAY`, such as 2026-11-24, or the present day in UTC.
    private static func today() throws -> CivilDate {
        if let text = ProcessInfo.processInfo.environment["DNSTEMPO_TODAY"] {
            return try #require(CivilDate(CalendarDay(parsing: text)))
        }
        return CivilDate(daysSinceEpoch: Int(Date().timeIntervalSince1970) / 86_400)
    }

    @Test func `the bundled list was compared with its sources in the last 180 days`() throws {
        let date = try #require(try ResolverCatalogue.bundled().date)
        let today = try Self.today()
        #expect(
            !Self.isOverdue(date, on: today),
            "data/resolvers.toml is of \(date): compare it with its sources, and say when"
        )
    }

    @Test(arguments: [
        ("2026-11-24", false), ("2027-05-23", false), ("2027-05-24", true), ("2030-01-01", true),
    ])
    func `a list is overdue after 180 days`(today: String, isOverdue: Bool) throws {
        let list = try CalendarDay(parsing: "2026-11-24")
        let day = try #require(CivilDate(CalendarDay(parsing: today)))
        #expect(Self.isOverdue(list, on: day) == isOverdue)
    }

    @Test func `the README states the number of resolvers and the day of the list`() throws {
        let catalogue = try ResolverCatalogue.bundled()
        let readme = try String(contentsOfFile: "\(Fixture.root)/README.md", encoding: .utf8)
        let date = try #require(catalogue.date)
        let sentence = "The catalogue has \(catalogue.entries.count) resolvers, last compared with"
        #expect(
            readme.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                .contains("\(sentence) its sources on \(date)")
        )
    }

    @Test(arguments: ["2026-7-24", "24.07.2026", "2026-13-01", "2026-00-10", "2026-01-32", ""])
    func `an invalid day is rejected`(text: String) {
        #expect(throws: CatalogueError.self) { try CalendarDay(parsing: text) }
    }

    @Test func `the bundled names are host names, each once`() throws {
        let names = try NameList.bundled().entries.map(\.name)
        #expect(names.count == 127)
        #expect(Set(names).count == names.count)
        for name in names {
            let labels = name.split(separator: ".", omittingEmptySubsequences: false)
            #expect(labels.count >= 2 && name.utf8.count <= 253, "\(name)")
            #expect(
                labels.allSatisfy { label in
                    (1...63).contains(label.utf8.count) && !label.hasPrefix("-")
                        && !label.hasSuffix("-")
                        && label.utf8.allSatisfy {
                            (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d
                        }
                },
                "\(name)"
            )
        }
    }

    @Test func `the campaign of 2009 is bundled`() throws {
        let campaign = try Campaign("2009-is-8888-faster")
        #expect(campaign.options[.rounds] == 100)
        #expect(campaign.options[.interval] == .seconds(30))
        #expect(campaign.options[.domains] == .names(["wikipedia.org", "google.com", "yahoo.com"]))
        let resolvers = try ResolverCatalogue.bundled()
            .resolvers(of: campaign, system: Fixture.system("plain"))
        #expect(
            resolvers.map { "\($0.label)=\($0.endpoint)" } == [
                "rds=193.231.236.17:53", "romtelecom=193.231.100.130:53", "google=8.8.8.8:53",
                "opendns=208.67.220.220:53",
            ]
        )
    }

    @Test func `the default lab shows five differences`() throws {
        let profile = try LabProfile()
        #expect(
            profile.resolvers.map(\.name)
                == ["harbour", "meadow", "brook", "cliff", "marsh", "glacier"]
        )
        #expect(profile.baseline == "harbour")
        let medians = profile.resolvers.map { $0.baseDelay + $0.jitter }
        #expect(medians[0] == .microseconds(22_300))
        #expect(medians[1] == .milliseconds(14))
        #expect(medians[1] == medians[2])
    }

    @Test func `the hostile lab has every fault`() throws {
        let resolvers = try LabProfile("hostile").resolvers
        for fault: KeyPath<Behaviour, Double> in [
            \.lossProbability, \.lateProbability, \.duplicateProbability, \.wrongIDProbability,
            \.truncateProbability, \.servfailProbability,
        ] {
            #expect(resolvers.contains { $0[keyPath: fault] > 0 })
        }
        #expect(resolvers.contains(where: \.nxdomainRewrite) && resolvers.contains(where: \.refuse))
        #expect(resolvers.contains(where: \.silent) && resolvers.contains(where: \.coldCache))
    }
}

extension CivilDate {
    /// `nil` for a day that does not exist in the calendar.
    fileprivate init?(_ day: CalendarDay) {
        let numbers = day.description.split(separator: "-").compactMap { Int($0) }
        self.init(year: numbers[0], month: numbers[1], day: numbers[2])
    }
}
