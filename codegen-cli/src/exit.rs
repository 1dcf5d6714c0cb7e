//! The exit codes: one table for every verb (`contract.md` 3).

use std::process::ExitCode;

/// How the process ends. `serve` hands on the code of the host that it became.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done.
    Done = 0,
    /// Refused: a tool error, no such tool, no such nodeset.
    Refused = 1,
    /// Usage, bad JSON.
    Usage = 2,
    /// The target could not be built, started or reached; protocol error; timeout.
    Unreachable = 3,
    /// Held by another client, taken, or stale: what is there is not what was expected.
    Conflict = 4,
    /// `lint` found something.
    Lint = 6,
    /// Over the token budget.
    Budget = 7,
    /// A bug of ours.
    Internal = 70,
    /// A change breaks whoever relies on the contract.
    Breaking = 100,
    /// Ctrl-C.
    Interrupted = 130,
}

impl Exit {
    /// The number, as the shell sees it.
    pub(crate) fn code(self) -> u8 {
        self as u8
    }

    /// The meaning of a host's own exit code, which follows the same table.
    pub(crate) fn of_host(code: Option<i32>) -> Self {
        match code {
            Some(1) => Self::Refused,
            Some(2) => Self::Usage,
            Some(4) => Self::Conflict,
            Some(130) => Self::Interrupted,
            _ => Self::Unreachable,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Exit;
    use crate::cli::Cli;

    /// `contract.md` 3. The numbers are what scripts rely on; 5 is a host's alone, which `serve` becomes.
    #[test]
    fn the_codes_are_those_of_the_book_and_of_the_help() {
        let all = [
            (Exit::Done, 0),
            (Exit::Refused, 1),
            (Exit::Usage, 2),
            (Exit::Unreachable, 3),
            (Exit::Conflict, 4),
            (Exit::Lint, 6),
            (Exit::Budget, 7),
            (Exit::Internal, 70),
            (Exit::Breaking, 100),
            (Exit::Interrupted, 130),
        ];
        let page = include_str!("../../docs/command-line.md");
        let help = Cli::command().get_after_help().unwrap().to_string();
        let codes = help.split("Exit codes: ").nth(1).unwrap().replace('\n', " ");
        for (exit, code) in all {
            assert_eq!(exit.code(), code);
            assert!(page.contains(&format!("\n| {code} | ")), "{code}");
            assert!(format!(" {codes}").contains(&format!(" {code} ")), "{code}: {codes}");
        }
        assert!(page.contains("\n| 5 | ") && codes.contains(" 5 "));
        let rows = page.split("| code | means |\n|---|---|\n").nth(1).unwrap();
        assert_eq!(rows.lines().take_while(|line| line.starts_with('|')).count(), all.len() + 1);
    }
}
