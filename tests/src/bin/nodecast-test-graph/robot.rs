//! A robot: it remembers, borrows what others remember, and is driven from a panel.

use std::sync::Mutex;
use std::time::Duration;

use nodecast::panel::{Choice, Done, EnabledWhen, Map, Panel, PanelAction, PanelDecl, PanelField, SideEffect};
use nodecast::prelude::*;

/// Remembers, borrows and fails.
#[nodeset(
    nodes(Remember, Borrow, Signal, Fail, Slow, Square, Gather, Fires, Numbers),
    containers(Memory, Notes),
    panel,
    panel_tools = true
)]
#[derive(Default)]
struct Robot {
    scene: Mutex<Option<String>>,
    _stopped: Stopped,
}

/// Says in the log that it was let go of.
#[derive(Default)]
struct Stopped;

impl Drop for Stopped {
    fn drop(&mut self) {
        tracing::info!("the robot has stopped");
    }
}

/// What the robot remembers.
#[derive(Container)]
#[container(label = "Memory")]
struct Memory {
    /// How many things it has seen.
    seen: Counter,
    /// The last three of them.
    #[state(max_size = 3, lifetime = "episode")]
    things: Accumulator<String>,
    /// Where it stands.
    #[state(lifetime = "run", reset_on("moved"))]
    place: LastWrite<Pose>,
    /// What it saw last.
    picture: LastWrite<Image>,
}

/// What people tell it.
#[derive(Container)]
struct Notes {
    /// The mood of the day.
    #[state(initial = "calm", lifetime = "custom", reset_on("sunset"), value_type = "EPISODE_CONTEXT")]
    mood: LastWrite<String>,
}

/// Remembers a thing.
#[node]
struct Remember {
    /// What.
    thing: String,
    /// In which room; nowhere where not said.
    room: Option<String>,
}

impl Node<Robot> for Remember {
    type Output = i64;
    type Error = Error;

    async fn run(self, _: &Robot, cx: &Context) -> Result<i64, Error> {
        let memory = Memory::of(cx)?;
        match &self.room {
            Some(room) => memory.things.at(room).push(self.thing)?,
            None => memory.things.push(self.thing)?,
        }
        memory.seen.add(1)?;
        memory.seen.read()
    }
}

/// Writes to a container by its id and reads it back, whoever has it.
#[node]
struct Borrow {
    /// Which.
    container: String,
    /// Which state.
    state: String,
    /// What to write.
    data: Value,
    /// To which key.
    key: Option<String>,
}

impl Node<Robot> for Borrow {
    type Output = Value;
    type Error = Error;

    async fn run(self, _: &Robot, cx: &Context) -> Result<Value, Error> {
        let container = cx.container(&self.container)?;
        let container = match &self.key {
            Some(key) => container.at(key),
            None => container,
        };
        container.write(&self.state, self.data).await?;
        container.read(&self.state).await
    }
}

/// Gives a signal.
#[node]
struct Signal {
    /// Which.
    signal: String,
}

impl Node<Robot> for Signal {
    type Output = usize;
    type Error = Error;

    async fn run(self, _: &Robot, cx: &Context) -> Result<usize, Error> {
        Ok(cx.signal(&self.signal))
    }
}

/// Fails.
#[node]
struct Fail {
    /// How: `service`, `panic`, `cause`, not at all but in the `log`, or anything else.
    how: Option<String>,
}

impl Node<Robot> for Fail {
    type Output = ();
    type Error = Error;

    #[allow(clippy::panic, reason = "it is what is tested")]
    async fn run(self, _: &Robot, _: &Context) -> Result<(), Error> {
        match self.how.as_deref() {
            Some("service") => {
                Err(Error::new("no_camera", "the camera does not answer")
                    .stage_of(nodecast::call::Stage::ExternalService))
            }
            Some("panic") => panic!("a secret of the node"),
            Some("cause") => Err(Error::new("no_map", "there is no map").because("the disk is full")),
            Some("log") => {
                tracing::warn!(battery = 7, "the battery is low");
                Ok(())
            }
            _ => Err(Error::new("failed", "the robot failed")),
        }
    }
}

/// Takes its time.
#[node]
struct Slow {
    /// How much, in milliseconds.
    ms: u64,
}

impl Node<Robot> for Slow {
    type Output = ();
    type Error = Error;

    async fn run(self, _: &Robot, _: &Context) -> Result<(), Error> {
        tokio::time::sleep(Duration::from_millis(self.ms)).await;
        Ok(())
    }
}

/// Squares numbers, many at once.
#[node(batched(max = 8, wait_ms = 20))]
struct Square {
    /// A number.
    x: i32,
}

impl BatchNode<Robot> for Square {
    type Output = i64;
    type Error = Error;

    async fn run(batch: Vec<Self>, _: &Robot, _: &Context) -> Vec<Result<i64, Error>> {
        tokio::time::sleep(Duration::from_millis(2)).await;
        batch.into_iter().map(|one| Ok(i64::from(one.x) * i64::from(one.x))).collect()
    }
}

/// Says how many share its run; nothing but time closes a batch.
#[node(batched(max = 4096, wait_ms = 20))]
struct Gather;

impl BatchNode<Robot> for Gather {
    type Output = usize;
    type Error = Error;

    async fn run(batch: Vec<Self>, _: &Robot, _: &Context) -> Vec<Result<usize, Error>> {
        batch.iter().map(|_| Ok(batch.len())).collect()
    }
}

/// Says what to run next.
#[node]
struct Fires;

impl Node<Robot> for Fires {
    type Output = FireList;
    type Error = Error;

    async fn run(self, _: &Robot, _: &Context) -> Result<FireList, Error> {
        Ok(FireList::new([Fire::new("robot__remember").input("thing", "a cup")]).aggregate(Aggregator::MergeAll))
    }
}

/// Has a field of each kind that a reference graph may send as text.
#[node(read_only)]
struct Numbers {
    /// Any value, given back.
    any: Option<Value>,
    /// A number.
    #[config(number(min = 0, max = 9), default = 1)]
    count: u8,
    /// A bool.
    #[config(default = false)]
    on: bool,
    /// A position of a slider.
    #[config(slider(min = 0.0, max = 1.0, step = 0.05), default = 0.5)]
    gain: f64,
    /// A heading.
    #[config(label)]
    heading: (),
}

#[derive(Outputs)]
struct Counted {
    count: u8,
    on: bool,
    gain: f64,
    any: Option<Value>,
}

impl Node<Robot> for Numbers {
    type Output = Counted;
    type Error = Error;

    async fn run(self, _: &Robot, _: &Context) -> Result<Counted, Error> {
        Ok(Counted { count: self.count, on: self.on, gain: self.gain, any: self.any })
    }
}

/// What the panel shows.
#[derive(serde::Serialize)]
struct Shown {
    scene: Option<String>,
    available: bool,
}

impl Panel for Robot {
    const PANEL: PanelDecl = PanelDecl::new(
        "Robot",
        &[
            PanelField::select("scene", "Scene", &[]),
            PanelField::select("mode", "Mode", &[Choice { value: "fast", label: "Fast" }]),
            PanelField::slider("speed", "Speed", 0.0, 2.0, Some(0.5)),
            PanelField::text("note", "Note"),
        ],
        &[
            PanelAction::new("start", "Start", SideEffect::RunStart).enabled_when(EnabledWhen::Idle),
            PanelAction::new("reset", "Reset", SideEffect::Signal),
        ],
    );
    type State = Shown;

    async fn state(&self, _: &Context) -> Result<Shown, Error> {
        let scene = self.scene.lock().map_err(|_| Error::new("poisoned", "the scene is lost"))?.clone();
        Ok(Shown { available: scene.is_some(), scene })
    }

    async fn set(&self, field: &str, value: Value, _: &Context) -> Result<(), Error> {
        if field == "scene" {
            let mut scene = self.scene.lock().map_err(|_| Error::new("poisoned", "the scene is lost"))?;
            *scene = value.as_text().map(str::to_owned);
        }
        Ok(())
    }

    async fn act(&self, action: &str, params: Map, _: &Context) -> Result<Done, Error> {
        match action {
            "reset" => Ok(Done::signal("episode_reset", params.get("why").cloned())),
            "start" => Ok(Done::ok()),
            _ => Ok(Done::not()),
        }
    }

    async fn options(&self, field: &str, _: &Context) -> Result<Vec<(String, String)>, Error> {
        Ok(if field == "scene" { vec![("flat".to_owned(), "A flat".to_owned())] } else { Vec::new() })
    }
}
