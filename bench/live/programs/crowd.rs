//! Two thousand nodes, served, for the time of an explanation.

use nodecast_live::prelude::*;

#[derive(Message)]
enum Step {
    /// Moves all of them.
    Move,
}

fn setup(g: &Graph) -> Result<App<Step, Exposure>, Error> {
    let model = Mvu::new(g, 0_u64, |Step::Move, count: &u64| Ok::<_, String>(count + 1));
    select!(model, let hub = |count| *count);
    let spokes: Vec<Memo<u64>> = (0..2_000).map(|at| memo(g, move || hub.get() + at)).collect();
    memo!(g, let sum = move || spokes.iter().map(Memo::get).sum::<u64>());
    Ok(App::new(model, Exposure::builder(g).value("sum", sum).build()?))
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    nodecast_live::serve("crowd", GraphHost::start(setup)?).raw_trace_tools(true).run().await
}
