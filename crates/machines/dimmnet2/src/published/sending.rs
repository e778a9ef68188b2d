//! The parts of sending one packet, as in table 6.2 and the text of section 6.2.

use anyhow::Context;
use cluster::{Duration, Event, Place, Watch};
use dimmnet2::address::Area;
use dimmnet2::registers::UserRegister;
use dimmnet2::window_controller::botf;
use machine_api::Row;

use super::measure::Bench;
use super::row;
use crate::paths::{BEGIN, COMPLETE, Primitive, transfer};
use crate::programs::botf::DATA_BYTES;
use crate::programs::measure::botf::Load;
use crate::programs::measure::ready;

/// Limit of a packet; none takes a hundredth of it.
const LIMIT: Duration = Duration::from_us(1_000);

/// The rows about one packet.
pub fn rows(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let (small, large) = (Sending::of(bench, 8)?, Sending::of(bench, DATA_BYTES)?);
    // The board's share is the same for all costs of its host.
    let core = transfer(Primitive::Botf, 8, bench.nics)?.of(|stage| stage.name == "core");
    let mut rows = vec![row("S-09", DATA_BYTES as f64)];
    let times = [
        ("B-04", large.written + large.issued),
        ("B-05", large.moved),
        ("B-09", small.read),
        ("B-10", small.arrived),
        ("B-11", small.written),
        ("B-12", small.issued),
    ];
    rows.extend(times.map(|(id, duration)| timed(id, duration)));
    rows.extend(shares(small.completed, core));
    Ok(rows)
}

/// Shares of board and host in the time until the sender of 8 bytes sees their completion.
pub fn shares(completed: Duration, core: Duration) -> [Row; 3] {
    [timed("B-06", completed), timed("B-07", core), timed("B-08", completed - core)]
}

fn timed(id: &str, duration: Duration) -> Row {
    row(id, duration.ps() as f64 / 1e6)
}

struct Sending {
    /// The host writes the image.
    written: Duration,
    /// The host issues the BOTF.
    issued: Duration,
    /// From the first store until the command is at the board.
    arrived: Duration,
    /// From the first store until the host knows that the board is done.
    completed: Duration,
    /// The host reads a register.
    read: Duration,
    /// From BOTF1 to END1: the lines go to SWIF.
    moved: Duration,
}

impl Sending {
    fn of(bench: &Bench<'_>, bytes: usize) -> anyhow::Result<Self> {
        const MOVING: &str = "lines go to SWIF";
        const MOVED: &str = "lines are in SWIF";
        let mut cluster = bench.switched()?;
        cluster.observe();
        let path = "core_logic.window_controller.request_executor.botf";
        cluster.node_mut(0).watch(Watch::state(MOVING, path, botf::State::Botf1))?;
        cluster.node_mut(0).watch(Watch::state(MOVED, path, botf::State::BotfEnd2))?;
        let load = Load { bytes, windows: 1, into_prefetch_window: false };
        let start = bench.start();
        let sender = cluster.spawn(0, "sender", move |host| async move {
            let mut board = ready(host, start).await;
            board.host().mark(BEGIN);
            load.message(&mut board, false).await;
            board.wait_window(0).await;
            board.host().mark(COMPLETE);
            let start = board.host().now();
            board.host().load_uc(board.user(UserRegister::PrimitiveCounter)).await;
            board.host().now() - start
        });
        let ran = cluster.run(LIMIT);
        machine_api::check(&mut cluster, ran)?;
        let observations = cluster.observations();
        let time = |event: Event| {
            let found = observations.iter().find(|o| o.place == Place::Node(0) && o.event == event);
            found.map(|o| o.time).with_context(|| format!("{event:?} was not observed"))
        };
        let kick = Area::UserRegister.part(false) + u32::from(UserRegister::Command0Lower.info().offset);
        let begin = time(Event::Mark(BEGIN))?;
        let (image, command) = (time(Event::Mark("image written"))?, time(Event::Mark("command issued"))?);
        Ok(Self {
            written: image - begin,
            issued: command - image,
            completed: time(Event::Mark(COMPLETE))? - begin,
            arrived: time(Event::Beat { address: kick, write: true })? - begin,
            read: sender.take().expect("the program is done"),
            moved: time(Event::Watch(MOVED))? - time(Event::Watch(MOVING))?,
        })
    }
}
