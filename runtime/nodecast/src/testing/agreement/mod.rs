//! Whether the published schema of a node and its decoder mean the same: values are generated from the schema, changed
//! to what is nearly right, and judged twice.
//!
//! One verdict is the published schema's, profile `full`, by a validator over `serde_json`'s tree that knows nothing of
//! this crate. The other is the call path's: routed, checked, decoded. They must agree on every value, in JSON and in
//! msgpack; a refusal must point at what was changed; and what comes back encoded must be valid by the published
//! schema of outputs. Four exceptions are stated ([`Exception`]), counted and shown.

mod cross;
mod dice;
mod form;
mod generate;
mod judge;
mod mutate;
mod number;
mod report;
mod subject;
mod text;

pub use self::report::{Disagreement, Exception, Report};
use self::subject::Subject;
use crate::Error;
use crate::call::{Input, Nodeset, Output};

/// Asserts that the schemas of all nodes of `S` and their decoders agree.
///
/// # Panics
///
/// Where they do not: with node, value, both verdicts and the seed. What to do then: a type whose `Deserialize` is
/// written by hand, or goes through `try_from` or `with`, must say in its schema what it refuses
/// (`#[schemars(range(…))]`, `#[schemars(regex(…))]`, `#[schemars(with = "…")]`).
///
/// ```
/// use nodecast::prelude::*;
///
/// /// Says hello.
/// #[nodeset(nodes(Hello))]
/// #[derive(Default)]
/// struct Greeter;
///
/// #[node(read_only)]
/// struct Hello {
///     /// Whom to greet.
///     who: Vec<String>,
///     /// How often.
///     #[config(slider(min = 1, max = 9), default = 2)]
///     times: u8,
/// }
///
/// impl Node<Greeter> for Hello {
///     type Output = String;
///     type Error = Error;
///
///     async fn run(self, _: &Greeter, _: &Context) -> Result<String, Error> {
///         Ok(self.who.join(" and ").repeat(self.times.into()))
///     }
/// }
///
/// // In a test:
/// nodecast::testing::agreement::<Greeter>();
/// ```
#[track_caller]
pub fn agreement<S: Nodeset>() {
    settled(Agreement::default().of_nodeset::<S>()).assert();
}

/// Asserts that schema and decoder of one type agree, and schema and encoder.
///
/// # Panics
///
/// Where they do not, as [`agreement`] does.
#[track_caller]
pub fn agreement_of<T: Input + Output>() {
    settled(Agreement::default().of::<T>()).assert();
}

/// How many values are judged, and which.
///
/// ```
/// use nodecast::testing::Agreement;
///
/// let report = Agreement::default().seed(7).values(200).of::<Option<Vec<u8>>>()?;
/// report.assert();
/// assert!(report.refused() > 0);
/// # Ok::<(), nodecast::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Agreement {
    seed: u64,
    values: usize,
}

impl Default for Agreement {
    /// A thousand values a node, the same ones every time.
    fn default() -> Self {
        Self { seed: 1, values: 1000 }
    }
}

impl Agreement {
    /// Sets the seed: other values.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets how many values are judged of each node, over both regimes.
    #[must_use]
    pub fn values(mut self, values: usize) -> Self {
        self.values = values;
        self
    }

    /// Judges the arguments of all nodes of `S`; no node runs. Fails where `S` could not be served either.
    pub fn of_nodeset<S: Nodeset>(self) -> Result<Report, Error> {
        Ok(self.judge(&Subject::nodes_of::<S>()?))
    }

    /// Judges a type that is both an input and an output: what it takes, and what it becomes when it is sent.
    pub fn of<T: Input + Output>(self) -> Result<Report, Error> {
        Ok(self.judge(&Subject::of_both::<T>()?))
    }

    /// Judges a type that is an input alone.
    pub fn of_input<T: Input>(self) -> Result<Report, Error> {
        Ok(self.judge(&Subject::of_input::<T>()?))
    }

    fn judge(self, subjects: &[Subject]) -> Report {
        let mut report = Report::default();
        for subject in subjects {
            report.add(judge::judge(subject, self.seed, self.values));
        }
        report
    }
}

/// The report, where the nodeset can be served.
#[track_caller]
#[allow(clippy::panic, reason = "a test ends here")]
fn settled(report: Result<Report, Error>) -> Report {
    match report {
        Ok(report) => report,
        Err(error) => panic!("{error}"),
    }
}
