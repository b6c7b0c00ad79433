import Campaigns
import CommandLineKit
import Storage

/// What the person at the terminal is told of an error, and the exit code that goes with it.
struct ErrorReport {
    var exitCode: ExitCode
    private var message: String
    private var hint: String?

    init(_ error: any Error, program: Program) {
        message = "\(error)"
        switch error {
        case let error as UsageError:
            exitCode = .usage
            hint = "See '\(([program.name] + error.path).joined(separator: " ")) --help'."
        case let error as CommandFailure:
            exitCode = error.exitCode
        case is CampaignDirectoryError:
            exitCode = .usage
            hint = "--campaigns names another; '\(program.name) init' writes a first project."
        case is InputFailure, is FilesAreWrong:
            exitCode = .usage
        case let error as StorageError:
            exitCode = ExitCode(error.problem)
        default:
            exitCode = .unreachable
        }
    }

    func text(style: TextStyle) -> String {
        style.red("error:") + " " + message + "\n" + (hint.map { $0 + "\n" } ?? "")
    }
}

extension ExitCode {
    /// What has to be put right in the configuration, against what may work at another time.
    init(_ problem: StorageError.Problem) {
        switch problem {
        case .notADatabase, .newerSchema, .foreignDatabase, .unknownRun: self = .usage
        case .busy, .diskFull, .readOnly, .cannotOpen, .corrupt, .inputOutput, .outOfMemory, .closed, .other:
            self = .unreachable
        }
    }
}
