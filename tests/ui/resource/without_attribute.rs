use nodecast::prelude::*;

#[nodeset(resources(Menu))]
#[derive(Default)]
struct Kitchen;

struct Menu;

impl Resource<Kitchen> for Menu {
    type Error = Error;

    async fn read(self, _: &Kitchen, _: &Context) -> Result<Contents, Error> {
        Ok(Contents::text(""))
    }
}

fn main() {}
