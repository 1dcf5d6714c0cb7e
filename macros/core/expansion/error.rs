use nodecast::prelude::*;

#[derive(Debug, thiserror::Error, NodeError)]
pub enum SamError {
    /// The scene is not loaded.
    #[error("scene {0} is not loaded")]
    #[node_error(retryable)]
    NoScene(u32),
    #[error("{path} holds no weights")]
    #[node_error(name = "no_weights")]
    Weights { path: String },
}

#[derive(Debug, thiserror::Error, NodeError)]
#[error("the device is gone")]
struct DeviceLost;
