use nodecast::prelude::*;

#[nodeset(resources(Recipe))]
#[derive(Default)]
struct Kitchen;

#[resource(uri = "kitchen://recipes/{dish}")]
struct Recipe {
    #[complete(Dishes)]
    dish: String,
}

struct Dishes;

impl Resource<Kitchen> for Recipe {
    type Error = Error;

    async fn read(self, _: &Kitchen, _: &Context) -> Result<Contents, Error> {
        Ok(Contents::text(""))
    }
}

fn main() {}
