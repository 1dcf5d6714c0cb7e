use nodecast::prelude::*;

#[nodeset(panel)]
#[derive(Default)]
struct Robot {
    speed: f64,
}

impl nodecast::panel::PanelMut for Robot {
    const PANEL: nodecast::panel::PanelDecl = nodecast::panel::PanelDecl::new("Robot", &[], &[]);
    type State = f64;

    async fn state(&self, _: &Context) -> Result<f64, Error> {
        Ok(self.speed)
    }

    async fn set(&mut self, _: &str, value: Value, _: &Context) -> Result<(), Error> {
        self.speed = value.as_f64().unwrap_or_default();
        Ok(())
    }

    async fn act(&mut self, _: &str, _: nodecast::panel::Map, _: &Context) -> Result<nodecast::panel::Done, Error> {
        Ok(nodecast::panel::Done::ok())
    }
}

fn main() {}
