//! Implementations of a device: model, RTL, lockstep.

use cluster::AnyNic;
use dsh::Boards;
use hdl::Model;

use crate::built::Built;

/// The implementations of this build.
pub struct Kinds;

impl<M: Built> Boards<M> for Kinds {
    fn kinds(&self) -> &[&'static str] {
        if cfg!(feature = "rtl") { &["model", "rtl", "lockstep"] } else { &["model"] }
    }

    fn open(&self, kind: &str, count: usize) -> Result<Vec<Box<AnyNic<M>>>, String> {
        (0..count).map(|_| board::<M>(kind)).collect()
    }
}

fn board<M: Built>(kind: &str) -> Result<Box<AnyNic<M>>, String> {
    let model = Model::new(M::Device::default());
    #[cfg(feature = "rtl")]
    match kind {
        "rtl" => {
            let rtl = cosim::Rtl::open(&model, M::rtl()?).map_err(|error| error.to_string())?;
            return Ok(Box::new(rtl));
        }
        "lockstep" => {
            let lockstep = cosim::Lockstep::open(model, M::rtl()?).map_err(|error| error.to_string())?;
            let command = format!("memonet.Cluster(\"{}\", nic=\"lockstep\")", M::NAME);
            return Ok(Box::new(lockstep.resets(M::RESETS).replay(0, &command)));
        }
        _ => {}
    }
    let _ = kind;
    Ok(Box::new(model))
}
