//! The Window Controller: accepts requests and builds packets (thesis section 5.3).

pub mod botf;
pub mod configuration_register;
pub mod pins;
pub mod request_acceptor;
pub mod request_executor;
pub mod request_fifo;
pub mod rvl;
pub mod rvs;
pub mod vl;
pub mod vs;
// The composite has the name of its directory, like `window_controller/window_controller.sv`.
#[allow(clippy::module_inception)]
mod window_controller;

pub use window_controller::WindowController;
