//! What a measurement gives.

use std::time::Duration;

use crate::Error;

/// One measurement.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// Calls answered in a second.
    pub per_second: f64,
    /// User and system time of the server a call, in microseconds.
    pub cpu_us: f64,
    /// The time in which 99 of 100 calls were answered, in microseconds.
    pub p99_us: f64,
}

impl Figure {
    /// The figure of calls that took so long each, in a measurement of `duration` that cost the server `cpu`.
    pub fn of(mut latencies: Vec<Duration>, duration: Duration, cpu: Duration) -> Result<Self, Error> {
        latencies.sort_unstable();
        let p99 = latencies.get(latencies.len() * 99 / 100).ok_or("no call was answered")?;
        let calls = f64::from(u32::try_from(latencies.len())?);
        Ok(Self {
            per_second: calls / duration.as_secs_f64(),
            cpu_us: cpu.as_secs_f64() * 1e6 / calls,
            p99_us: p99.as_secs_f64() * 1e6,
        })
    }
}

/// The measurements of several sides, taken in turn so that a busy moment meets all of them.
#[derive(Clone, Debug)]
pub struct Turns(Vec<Vec<Figure>>);

impl Turns {
    /// Room for as many sides.
    pub fn new(sides: usize) -> Self {
        Self(vec![Vec::new(); sides])
    }

    /// Notes a measurement of a side.
    pub fn note(&mut self, side: usize, figure: Figure) {
        if let Some(figures) = self.0.get_mut(side) {
            figures.push(figure);
        }
    }

    /// The median of each side, by CPU time.
    pub fn medians(self) -> Vec<Figure> {
        self.0.into_iter().filter_map(median).collect()
    }
}

fn median(mut figures: Vec<Figure>) -> Option<Figure> {
    figures.sort_by(|a, b| a.cpu_us.total_cmp(&b.cpu_us));
    figures.get(figures.len() / 2).copied()
}
