// swift-tools-version: 6.2
import PackageDescription

// On Linux, CLibraries loads these libraries at their first use, and the compiler finds their headers
// without pkg-config. On Apple's platforms, the libraries are linked.
#if os(Linux)
func linked(_ package: String) -> String? { nil }
#else
func linked(_ package: String) -> String? { package }
#endif

let package = Package(
    name: "dnstempo",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "dnstempo", targets: ["Main"])],
    traits: [
        .default(enabledTraits: ["QUIC"]),
        .trait(name: "QUIC", description: "DNS over QUIC and over HTTP/3, by ngtcp2 and nghttp3"),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        // Timers and delayed replies are in its heap.
        .package(url: "https://github.com/apple/swift-collections.git", exact: "1.6.0"),
        // The dashboard uses it for connections and HTTP.
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    ],
    targets: [
        .systemLibrary(
            name: "CLDNS",
            pkgConfig: linked("ldns"),
            providers: [.apt(["libldns-dev"]), .brew(["ldns"])]
        ),
        .systemLibrary(
            name: "CPSL",
            pkgConfig: linked("libpsl"),
            providers: [.apt(["libpsl-dev"]), .brew(["libpsl"])]
        ),
        .systemLibrary(
            name: "CGnuTLS",
            pkgConfig: linked("gnutls"),
            providers: [.apt(["libgnutls28-dev"]), .brew(["gnutls"])]
        ),
        .systemLibrary(
            name: "CNGHTTP2",
            pkgConfig: linked("libnghttp2"),
            providers: [.apt(["libnghttp2-dev"]), .brew(["libnghttp2"])]
        ),
        .systemLibrary(
            name: "CNGHTTP3",
            pkgConfig: linked("libnghttp3"),
            providers: [.apt(["libnghttp3-dev"]), .brew(["libnghttp3"])]
        ),
        .systemLibrary(
            name: "NGTCP2Library",
            path: "Sources/System/CNGTCP2/Library",
            pkgConfig: linked("libngtcp2_crypto_gnutls"),
            providers: [.apt(["libngtcp2-dev", "libngtcp2-crypto-gnutls-dev"])]
        ),
        .systemLibrary(
            name: "CPostgreSQL",
            pkgConfig: linked("libpq"),
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        .systemLibrary(
            name: "CFrameStreams",
            pkgConfig: linked("libfstrm"),
            providers: [.apt(["libfstrm-dev"]), .brew(["fstrm"])]
        ),
        .systemLibrary(
            name: "CSnappy",
            pkgConfig: linked("snappy"),
            providers: [.apt(["libsnappy-dev"]), .brew(["snappy"])]
        ),
        .systemLibrary(
            name: "MosquittoLibrary",
            path: "Sources/System/CMosquitto/Library",
            pkgConfig: linked("libmosquitto"),
            providers: [.apt(["libmosquitto-dev"]), .brew(["mosquitto"])]
        ),
        // SwiftPM also builds targets that no product needs. Without the trait, this target must be empty.
        .target(
            name: "CNGTCP2",
            dependencies: [
                "CGnuTLS", .target(name: "NGTCP2Library", condition: .when(traits: ["QUIC"])),
            ],
            exclude: ["Library"],
            cSettings: [.define("QUIC", .when(traits: ["QUIC"]))],
            linkerSettings: [
                .linkedLibrary("ngtcp2", .when(platforms: [.macOS], traits: ["QUIC"]))
            ]
        ),
        // Loads the libraries above at their first use.
        .target(
            name: "CLibraries",
            dependencies: [
                .target(name: "NGTCP2Library", condition: .when(traits: ["QUIC"])),
                .target(name: "CNGHTTP3", condition: .when(traits: ["QUIC"])),
            ],
            cSettings: [.define("QUIC", .when(traits: ["QUIC"]))]
        ),
        .target(name: "LibC"),
        .target(name: "Failures", dependencies: ["LibC"]),
        .target(name: "Files", dependencies: ["Failures", "LibC"]),
        .target(name: "Processes", dependencies: ["Failures", "Files", "LibC"]),
        .target(name: "CSockets"),
        .target(name: "CMemory"),
        .target(name: "CProcess"),
        .target(name: "CTOML"),
        .target(
            name: "CSQLite",
            dependencies: ["CLibraries"],
            linkerSettings: [.linkedLibrary("sqlite3", .when(platforms: [.macOS]))]
        ),
        .target(name: "SQLite", dependencies: ["CSQLite"]),
        .target(name: "DNSWire", dependencies: ["Failures", "CLDNS", "CLibraries"]),
        .target(name: "CData"),
        .target(name: "Protobuf"),
        .target(name: "Catalogue", dependencies: ["Failures", "LibC", "CData", "CTOML"]),
        .target(name: "Statistics", dependencies: ["LibC"]),
        .target(name: "Signatures", dependencies: ["CGnuTLS", "CLibraries"]),
        .target(
            name: "Transports",
            dependencies: [
                "LibC", "CGnuTLS", "CLibraries", "CNGHTTP2", "CSockets", "DNSWire", "Catalogue",
                .target(name: "CNGTCP2", condition: .when(traits: ["QUIC"])),
                .target(name: "CNGHTTP3", condition: .when(traits: ["QUIC"])),
                .product(name: "HeapModule", package: "swift-collections"),
            ]
        ),
        .target(
            name: "Samples",
            dependencies: ["Failures", "LibC", "DNSWire", "Catalogue", "Statistics"]
        ),
        .target(
            name: "Measurement",
            dependencies: ["Failures", "LibC", "DNSWire", "Catalogue", "Samples", "Statistics"]
        ),
        .target(
            name: "Integrity",
            dependencies: ["Failures", "LibC", "DNSWire", "Catalogue", "Samples"]
        ),
        .target(
            name: "Store",
            dependencies: [
                "Failures", "Files", "LibC", "CSQLite", "DNSWire", "Catalogue", "SQLite",
                "Samples", "Statistics",
            ]
        ),
        .target(
            name: "Central",
            dependencies: [
                "Failures", "LibC", "CLibraries", "CPostgreSQL", "CSockets", "Catalogue", "Samples",
                "Store",
            ]
        ),
        .target(
            name: "CCurl",
            dependencies: ["CLibraries"],
            linkerSettings: [.linkedLibrary("curl", .when(platforms: [.macOS]))]
        ),
        .target(name: "HTTP", dependencies: ["Failures", "LibC", "CCurl", "CLibraries"]),
        .target(
            name: "CMosquitto",
            dependencies: ["CLibraries", "MosquittoLibrary"],
            exclude: ["Library"]
        ),
        .target(name: "MQTT", dependencies: ["Failures", "LibC", "CMosquitto", "CLibraries"]),
        // SwiftNIO serves the other end of a load.
        .target(
            name: "Load",
            dependencies: [
                "Failures", "LibC", "CCurl", "Catalogue", "HTTP", "Samples",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .target(
            name: "History",
            dependencies: ["DNSWire", "Samples", "Store", "Central"]
        ),
        .target(
            name: "RemoteWrite",
            dependencies: [
                "Failures", "LibC", "CLibraries", "CSnappy", "DNSWire", "Catalogue", "HTTP",
                "Protobuf", "Samples", "Store", "Reports",
            ]
        ),
        .target(
            name: "Evidence",
            dependencies: [
                "Failures", "LibC", "CFrameStreams", "CLibraries", "Catalogue", "DNSWire",
                "Protobuf",
                "Transports",
            ]
        ),
        .target(name: "Analysis", dependencies: ["LibC", "DNSWire", "Samples", "Statistics"]),
        .target(name: "Charts", dependencies: ["LibC", "Statistics"]),
        .target(
            name: "Reports",
            dependencies: [
                "Failures", "DNSWire", "Catalogue", "Integrity", "Samples", "Statistics",
                "Analysis", "Charts",
            ],
            resources: [.embedInCode("HTML/page.css"), .embedInCode("HTML/sort.js")]
        ),
        .target(
            name: "Dashboard",
            dependencies: [
                "Failures", "Files", "LibC", "Analysis", "CMemory", "Catalogue", "Samples",
                "Statistics", "Store", "Reports",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            resources: [
                .embedInCode("Pages/dashboard.css"), .embedInCode("Pages/live.js"),
                .embedInCode("Pages/readings.js"),
            ]
        ),
        .target(
            name: "BrowserHistory",
            dependencies: [
                "Failures", "Files", "LibC", "CLibraries", "CPSL", "Catalogue", "SQLite",
            ]
        ),
        .target(
            name: "Lab",
            dependencies: [
                "Failures", "LibC", "CSockets", "DNSWire", "Catalogue",
                .product(name: "HeapModule", package: "swift-collections"),
            ]
        ),
        .target(name: "Scheduling", dependencies: ["Failures"]),
        .target(
            name: "Runs",
            dependencies: [
                "Failures", "Files", "LibC", "Processes", "CMemory", "DNSWire", "Catalogue",
                "Statistics", "Transports", "BrowserHistory", "Integrity", "Lab", "Samples",
                "Measurement", "Store", "Central", "Evidence", "RemoteWrite", "Analysis", "HTTP",
                "MQTT", "Load",
            ]
        ),
        .target(
            name: "dnstempo",
            dependencies: [
                "Failures", "LibC", "CData", "CMemory", "CProcess", "DNSWire", "Catalogue",
                "Statistics", "Transports",
                "Measurement", "Samples", "Analysis", "Charts", "Central",
                "Dashboard", "Evidence", "Files", "History", "HTTP", "Integrity", "MQTT",
                "RemoteWrite", "Reports", "Lab", "Load",
                "Processes", "Runs", "Scheduling", "Signatures",
                "Store",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: ["Main"]
        ),
        // Apart from the commands, so that the simulation can link them.
        .executableTarget(
            name: "Main",
            dependencies: ["dnstempo"],
            path: "Sources/dnstempo/Main"
        ),
        .testTarget(
            name: "DNSWireTests",
            dependencies: ["Failures", "LibC", "DNSWire", "Fixtures"],
            resources: [.copy("Fixtures")]
        ),
        .testTarget(
            name: "CatalogueTests",
            dependencies: ["Failures", "LibC", "Catalogue", "Samples"],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "LoadTests",
            dependencies: ["Catalogue", "Failures", "Fixtures", "Load", "Servers"]
        ),
        .testTarget(name: "FilesTests", dependencies: ["Failures", "Files"]),
        .testTarget(name: "SignaturesTests", dependencies: ["Servers", "Signatures"]),
        .testTarget(
            name: "StatisticsTests",
            dependencies: ["Fixtures", "Statistics"],
            exclude: ["Reference"]
        ),
        // Simulates thousands of runs. Only an optimised build finishes them within a minute.
        .executableTarget(
            name: "VerdictBench",
            dependencies: ["Analysis", "DNSWire", "Reports", "Samples", "Statistics"],
            path: "Tests/VerdictBench"
        ),
        // Simulates the program in a system whose clocks, network, disk and power fail. Scripts/simulate builds and
        // runs it.
        .target(
            name: "SimulatedDisk",
            path: "Tests/Simulation/Disk",
            linkerSettings: [.linkedLibrary("sqlite3")]
        ),
        .target(
            name: "SimulatedKernel",
            dependencies: ["SimulatedDisk"],
            path: "Tests/Simulation/Kernel",
            cSettings: [.unsafeFlags(["-fblocks"])]
        ),
        .executableTarget(
            name: "Simulation",
            dependencies: [
                "Catalogue", "DNSWire", "Processes", "Samples", "SimulatedDisk", "SimulatedKernel",
                "Statistics", "Store", "dnstempo",
            ],
            path: "Tests/Simulation/World"
        ),
        // Detects false results of the program's readers. Scripts/fuzz builds and runs its targets.
        .target(name: "FuzzJudge", dependencies: ["DNSWire"], path: "Tests/Fuzz/Judge"),
        .executableTarget(
            name: "AnswerFuzz",
            dependencies: ["DNSWire", "FuzzJudge"],
            path: "Tests/Fuzz/Answers"
        ),
        .systemLibrary(name: "CLibFuzzer", path: "Tests/Fuzz/LibFuzzer"),
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "CGnuTLS", "CLibFuzzer", "CSockets", "Catalogue", "Central", "DNSWire", "Evidence",
                "FuzzJudge", "Integrity", "Samples", "Signatures", "Store", "Transports",
            ],
            path: "Tests/Fuzz/Targets",
            // For the TLS servers of these targets. The program itself contains no TLS server.
            linkerSettings: [.linkedLibrary("gnutls")]
        ),
        .testTarget(
            name: "SamplesTests",
            dependencies: ["Catalogue", "DNSWire", "Samples"],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "MeasurementTests",
            dependencies: [
                "Catalogue", "DNSWire", "Failures", "Measurement", "Samples", "Statistics",
            ],
            exclude: ["Reference"]
        ),
        .testTarget(
            name: "IntegrityTests",
            dependencies: ["DNSWire", "Catalogue", "Measurement", "Samples", "Integrity"]
        ),
        .testTarget(
            name: "StoreTests",
            dependencies: [
                "Failures", "LibC", "CSQLite", "DNSWire", "Catalogue", "Fixtures", "SQLite",
                "Samples", "Statistics", "Store",
            ]
        ),
        .testTarget(
            name: "HistoryTests",
            dependencies: ["LibC", "DNSWire", "History", "Samples", "Store"]
        ),
        .testTarget(
            name: "ChartsTests",
            dependencies: ["Charts", "Fixtures", "Statistics"],
            exclude: ["Golden"]
        ),
        .testTarget(
            name: "ReportsTests",
            dependencies: [
                "Failures", "Analysis", "DNSWire", "Catalogue", "Integrity", "Measurement",
                "Samples", "Statistics", "Charts", "Fixtures", "Reports",
            ],
            exclude: ["Golden"]
        ),
        .testTarget(
            name: "SchedulingTests",
            dependencies: [
                "Failures", "DNSWire", "Fixtures", "Samples", "Scheduling", "Servers", "Store",
            ]
        ),
        .testTarget(
            name: "DashboardTests",
            dependencies: [
                "Failures", "Dashboard", "Catalogue", "DNSWire", "Reports", "Samples", "Statistics",
                "Store",
                "Servers",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "RemoteWriteTests",
            dependencies: ["DNSWire", "RemoteWrite", "Reports", "Samples"]
        ),
        .testTarget(name: "BrowserHistoryTests", dependencies: ["Failures", "BrowserHistory"]),
        .testTarget(
            name: "LabTests",
            dependencies: ["Failures", "LibC", "Catalogue", "DNSWire", "Lab"]
        ),
        .testTarget(
            name: "TransportsTests",
            dependencies: ["LibC", "Transports", "Servers", "CSockets", "Catalogue", "DNSWire"]
        ),
        .testTarget(
            name: "EvidenceTests",
            dependencies: ["Catalogue", "DNSWire", "Evidence", "Protobuf", "Transports"]
        ),
        .testTarget(
            name: "RunsTests",
            dependencies: [
                "Catalogue", "DNSWire", "Failures", "Fixtures", "Measurement", "RemoteWrite",
                "Runs", "Samples", "Statistics", "Store", "Transports",
            ]
        ),
        .testTarget(
            name: "CommandLineTests",
            dependencies: ["Fixtures", "Processes", "Servers", "dnstempo"],
            exclude: ["BadInput/Cases", "Golden", "Reference"]
        ),
        .testTarget(name: "ServersTests", dependencies: ["Servers"]),
        // Fixtures for the tests of several modules: seeded random numbers, golden files, temporary folders.
        .target(name: "Fixtures", path: "Tests/Fixtures"),
        // Name servers for the tests, on loopback: real ones and scripted hostile ones.
        .target(
            name: "Servers",
            dependencies: ["Fixtures"],
            path: "Tests/Servers",
            resources: [
                .embedInCode("tls-responder.py"), .embedInCode("https-responder.py"),
                .embedInCode("tls_stream.py"), .embedInCode("early-data-responder.py"),
                .embedInCode("quic-responder.py"), .embedInCode("flood-responder.py"),
                .embedInCode("edge-network.py"), .embedInCode("cutting-relay.py"),
                .embedInCode("write-receiver.py"), .embedInCode("notice-receiver.py"),
                .embedInCode("routed-network.py"), .embedInCode("metrics-receiver.py"),
                .embedInCode("lossy-responder.py"), .embedInCode("hostile-relay.py"),
                .embedInCode("hostile-server.py"), .embedInCode("load-responder.py"),
            ]
        ),
    ]
)

// The folders of Sources, in the order in which a sample goes through them.
let rooms: KeyValuePairs = [
    "Ask": [
        "DNSWire", "Catalogue", "Transports", "Integrity", "Lab", "BrowserHistory", "Signatures",
    ],
    "Run": ["Load", "Measurement", "Runs", "Scheduling"],
    "Keep": [
        "Samples", "SQLite", "Store", "Central", "History", "Evidence", "RemoteWrite", "Protobuf",
    ],
    "Judge": ["Statistics", "Analysis"],
    "Show": ["Charts", "Reports", "Dashboard"],
    "System": [
        "CData", "CFrameStreams", "CGnuTLS", "CLDNS", "CLibraries", "CMemory", "CNGHTTP2",
        "CMosquitto", "CNGHTTP3", "CNGTCP2", "CPSL", "CPostgreSQL", "CProcess", "CCurl", "CSQLite",
        "CSnappy", "CSockets", "CTOML", "Failures", "Files", "HTTP", "LibC", "MQTT",
        "Processes",
    ],
]
for (room, names) in rooms {
    for target in package.targets where names.contains(target.name) {
        target.path = "Sources/\(room)/\(target.name)"
    }
}

let firstParty = package.targets.filter {
    $0.type != .system && !["CSockets", "CSQLite", "CNGTCP2"].contains($0.name)
}
for target in firstParty {
    target.swiftSettings = [
        .swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}

// Modules in `cold` do work that users wait for once. They are optimised for size and for a short build.
// The passes of Swift's own optimiser would take two thirds of their build time, without a smaller result.
// Charts is also optimised for size, but keeps these passes, because a page has many charts. All other
// modules are optimised for speed: microseconds count, or the modules process millions of samples.
let small: Set = ["Charts"]
let cold: Set = [
    "BrowserHistory", "Catalogue", "Central", "Dashboard", "History", "HTTP", "Integrity", "Lab",
    "Load", "RemoteWrite", "Reports", "Runs", "Scheduling", "Signatures", "dnstempo",
]
for target in firstParty where small.contains(target.name) || cold.contains(target.name) {
    let more = cold.contains(target.name) ? ["-Xfrontend", "-disable-sil-perf-optzns"] : []
    target.swiftSettings?.append(.unsafeFlags(["-Osize"] + more, .when(configuration: .release)))
}

// Tests are compiled without optimisation, also in a release build of the tested modules. No separate job
// emits the modules of tests, because no other target waits for them.
for target in firstParty where target.isTest || ["Fixtures", "Servers"].contains(target.name) {
    let flags = ["-Onone"] + (target.isTest ? ["-no-emit-module-separately-wmo"] : [])
    target.swiftSettings?.append(.unsafeFlags(flags, .when(configuration: .release)))
}
