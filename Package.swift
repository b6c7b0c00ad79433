// swift-tools-version: 6.2
import PackageDescription

/// A Swift module and, where it has one, its test module of the same name.
struct Module {
    var name: String
    var imports: [String] = []
    /// System libraries, which only this module may touch.
    var wraps: [String] = []
    /// What its tests use beside the module and its imports.
    var testImports: [String] = []
    /// Files and folders beside its tests that are not Swift; the tests find them by their path.
    var testFiles: [String] = []
    /// Files beside its sources that become constants of the program.
    var embeds: [String] = []
}

// Bottom floor first: a module imports only what stands above it in this list.
let modules: [Module] = [
    Module(name: "Spelling"),
    Module(name: "JSON"),
    Module(name: "CommandLineKit", imports: ["Spelling"]),
    Module(name: "YAML", wraps: ["CYAML"], testImports: ["JSON"], testFiles: ["Corpus", "yaml_oracle.py"]),
    Module(name: "Liquid", imports: ["Spelling"], testImports: ["JSON"], testFiles: ["Golden", "Corpus"]),
    Module(
        name: "Schedules", imports: ["Spelling"], testImports: ["JSON"],
        testFiles: ["cron_oracle.py", "zone_oracle.py", "rrule_oracle.py", "calendar_oracle.py"]),
    Module(name: "Crypto", wraps: ["COpenSSL"]),
    Module(name: "HTTPClient", imports: ["Crypto"], wraps: ["CCurl", "CNGHTTP2", "COpenSSL"]),
    Module(name: "Push", testImports: ["PushTestSupport"]),
    Module(
        name: "Storage", imports: ["Push", "Schedules", "JSON"], wraps: ["CSQLite"], testImports: ["PushTestSupport"]),
    Module(name: "Providers", imports: ["Push", "HTTPClient", "Crypto", "JSON"]),
    Module(
        name: "Campaigns", imports: ["YAML", "Liquid", "Schedules", "Spelling", "Push", "JSON"],
        testFiles: ["SchemaTable", "Broken"], embeds: ["Schemas"]),
    Module(
        name: "Scheduler", imports: ["Campaigns", "Storage", "Push", "Schedules"],
        testImports: ["YAML", "JSON", "PushTestSupport"]),
    Module(name: "Previews", imports: ["Scheduler", "Campaigns", "Push", "Schedules", "JSON"]),
    Module(
        name: "Commands",
        imports: [
            "CommandLineKit", "Spelling", "JSON", "YAML", "Liquid", "Schedules", "Crypto", "HTTPClient", "Push",
            "Storage",
            "Providers", "Campaigns", "Scheduler", "Previews",
        ]),
]

/// Programs that print figures with their targets beside them: the folder under Benchmarks, and what it imports.
let benchmarks: [Module] = [
    Module(name: "Storage", imports: ["Storage", "Push", "Schedules"])
]

let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

let systemLibraries: [Target] = [
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CNGHTTP2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
]

func dependencies(_ names: [String]) -> [Target.Dependency] {
    names.map { .target(name: $0) }
}

let package = Package(
    name: "carillon",
    products: [
        .library(name: "Push", targets: ["Push"]),
        .executable(name: "carillon", targets: ["carillon"]),
    ],
    targets: systemLibraries
        + modules.map {
            .target(
                name: $0.name, dependencies: dependencies($0.imports + $0.wraps),
                resources: $0.embeds.map { .embedInCode($0) }, swiftSettings: swiftSettings)
        }
        + modules.map {
            .testTarget(
                name: "\($0.name)Tests",
                dependencies: dependencies([$0.name] + $0.imports + $0.testImports + ["TestSupport"]),
                exclude: $0.testFiles,
                swiftSettings: swiftSettings)
        }
        + benchmarks.map {
            .executableTarget(
                name: "\($0.name)Benchmark", dependencies: dependencies($0.imports), path: "Benchmarks/\($0.name)",
                swiftSettings: swiftSettings)
        }
        + [
            .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: swiftSettings),
            .target(
                name: "PushTestSupport", dependencies: ["Push"], path: "Tests/PushTestSupport",
                swiftSettings: swiftSettings),
            .executableTarget(name: "carillon", dependencies: ["Commands"], swiftSettings: swiftSettings),
            .executableTarget(
                name: "http-loop", dependencies: ["HTTPClient"], path: "Benchmarks/HTTPLoop",
                swiftSettings: swiftSettings),
            .testTarget(
                name: "EndToEndTests", dependencies: ["carillon", "JSON", "TestSupport"], swiftSettings: swiftSettings),
        ]
)
