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
