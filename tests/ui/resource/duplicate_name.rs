use nodecast::prelude::*;

#[nodeset(resources(Menu, Card))]
#[derive(Default)]
struct Kitchen;

#[resource(uri = "kitchen://menu")]
struct Menu;

#[resource(uri = "kitchen://card", name = "menu")]
struct Card;

impl Resource<Kitchen> for Menu {
    type Error = Error;

    async fn read(self, _: &Kitchen, _: &Context) -> Result<Contents, Error> {
        Ok(Contents::text(""))
    }
}

impl Resource<Kitchen> for Card {
    type Error = Error;

    async fn read(self, _: &Kitchen, _: &Context) -> Result<Contents, Error> {
        Ok(Contents::text(""))
    }
}

fn main() {}
