use nodecast::prelude::*;

#[nodeset(resources(Recipe, Dish))]
#[derive(Default)]
struct Kitchen;

#[resource(uri = "kitchen://recipes/{dish}")]
struct Recipe {
    dish: String,
}

#[resource(uri = "kitchen://recipes/{name}")]
struct Dish {
    name: String,
}

impl Resource<Kitchen> for Recipe {
    type Error = Error;

    async fn read(self, _: &Kitchen, _: &Context) -> Result<Contents, Error> {
        Ok(Contents::text(""))
    }
}

impl Resource<Kitchen> for Dish {
    type Error = Error;

    async fn read(self, _: &Kitchen, _: &Context) -> Result<Contents, Error> {
        Ok(Contents::text(""))
    }
}

fn main() {}
