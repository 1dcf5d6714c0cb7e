use nodecast::prelude::*;

#[nodeset(nodes(Always, #[cfg(feature = "gpu")] Gpu, #[cfg(unix)] #[cfg(not(test))] Unix, Last))]
struct Machine;

#[node]
struct Always {
    #[cfg(unix)]
    path: String,
    #[cfg(windows)]
    #[port(name = "path", title = "Drive and path")]
    drive_and_path: String,
    #[cfg_attr(test, allow(unused))]
    plain: u8,
}

#[node]
struct Gpu {
    #[cfg(feature = "gpu")]
    index: u8,
}
