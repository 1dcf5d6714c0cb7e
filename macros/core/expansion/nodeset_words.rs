use nodecast::prelude::*;

/// Cooks.
#[nodeset(
    page_size = 50,
    ttl_ms = 60000,
    cache_scope = "public",
    icons(icon(src = "https://example.com/pot.png", mime = "image/png", size = "48x48", theme = "light")),
    meta("com.example/open" = true),
    nodes(Cook),
    resources(Menu, #[cfg(feature = "recipes")] recipes::Recipe),
    prompts(PlanDinner)
)]
struct Kitchen;

#[node(task = "required", waits, fallback, icons("https://example.com/cook.svg"), meta("com.example/level" = 3))]
struct Cook;
