import Testing

@testable import Catalogue

struct BundledDataTests {
    @Test func `every bundled resolver has a name of its own and can be asked or says why not`()
        throws
    {
        let entries = try ResolverCatalogue.bundled().entries
        #expect(entries.count == 64)
        #expect(Set(entries.map(\.name)).count == entries.count)
        for entry in entries {
            #expect(!entry.endpoints.isEmpty || entry.isEncryptedOnly, "\(entry.name)")
            #expect(entry.endpoints.allSatisfy { $0.address.isUnicast && $0.port == 53 })
        }
    }

    @Test func `bundled addresses belong to one resolver each`() throws {
        let addresses = try ResolverCatalogue.bundled().entries.flatMap { entry in
            entry.endpoints.map(\.address)
        }
        #expect(Set(addresses).count == addresses.count)
        #expect(addresses.count > 180)
    }

    @Test func `a dead resolver names living ones that can be asked instead`() throws {
        let catalogue = try ResolverCatalogue.bundled()
        var dead: [String] = []
        for entry in catalogue.entries {
            guard case .dead(let retirement) = entry.status else { continue }
            dead.append(entry.name)
            #expect(!retirement.instead.isEmpty)
            for name in retirement.instead { #expect(try catalogue.entry(named: name).isAskable) }
        }
        #expect(dead == ["dns0", "norton", "freenom"])
    }

    @Test func `the default resolvers are alike: worldwide and without filters`() throws {
        let defaults = try ResolverCatalogue.bundled().entries.filter(\.isDefault)
        #expect(defaults.count == 4)
        #expect(defaults.allSatisfy { $0.filtering == "none" && $0.isAskable })
    }

    @Test func `what sources disagree about is said to be disputed`() throws {
        let entry = try ResolverCatalogue.bundled().entry(named: "quad9-unsecured")
        #expect(entry.dnssec == "disputed: yes (DC), no (AG, DD)")
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
