use nodecast::prelude::*;

/// What there is today.
#[resource(uri = "kitchen://menu", title = "Menu", mime = "text/markdown", ttl_ms = 0, cache_scope = "private")]
struct Menu;

/// One recipe.
#[resource(uri = "kitchen://recipes/{course}/{dish}", icons("https://example.com/recipe.svg"))]
struct Recipe {
    #[complete]
    course: Course,
    /// Which dish.
    #[argument(name = "dish", title = "Dish")]
    #[complete(Dishes)]
    named: String,
}
