//! The main job: data from host 0 to host 1 and back; also byte streams and programs.

use cluster::{Duration, Event, Place, RunError, Time};
use machine_api::{Account, Carried, Done, FrameFormat, Frames, Job, Nics, Program, TimeLine, Working};

use crate::line::packet_bytes;
use crate::paths::{BEGIN, COMPLETE, Primitive, stages, watch};
use crate::programs::Board;
use crate::programs::botf::{DATA_BYTES, Destination, Packet, Peer};
use crate::programs::measure::{PROCESS, Start, peer, ready};
use crate::programs::stream::{Receiver, Sender};
use crate::programs::transpose::{SIDE, transpose};
use crate::published::shares;
use crate::{Cluster, Dimmnet2, Host, Settings};

impl Working for Dimmnet2 {
    const JOB: &'static str = "botf";
    const BYTES: std::ops::RangeInclusive<usize> = 1..=DATA_BYTES;
    const SHORT: usize = 8;
    const SEEDED: bool = true;
    const PROGRAMS: &'static [Program<Self>] = &[Program {
        name: "transpose",
        doc: "one board transposes a matrix of 64 x 64 elements of 4 bytes in its SO-DIMMs, by VLS and VS",
        processes: 1,
        run: run_transpose,
    }];
    const FRAMES: Option<Frames<Self>> =
        Some(Frames { format: FrameFormat::InfiniBandWithoutIcrc, bytes: packet_bytes });

    fn work(job: &Job, nics: &dyn Nics<Self>) -> anyhow::Result<Account<Self>> {
        exchange(job, nics)
    }

    fn carry(bytes: Vec<u8>, nics: &dyn Nics<Self>, told: &dyn Fn(u64)) -> anyhow::Result<Carried> {
        carry(bytes, nics, told)
    }
}

/// Limit of a message; none takes a hundredth of it.
const LIMIT: Duration = Duration::from_us(1_000);

fn exchange(job: &Job, nics: &dyn Nics<Dimmnet2>) -> anyhow::Result<Account<Dimmnet2>> {
    let mut cluster = Cluster::with_switch(nics.open(2)?, &Settings::default());
    cluster.observe();
    if job.capture {
        cluster.capture();
    }
    for node in 0..2 {
        watch(cluster.node_mut(node))?;
    }
    let mut random = hdl::Stimulus::new(job.seed);
    let data: Vec<u8> = (0..job.bytes).map(|_| random.word() as u8).collect();
    let sent = data.clone();
    let pings = cluster.spawn(0, "ping", move |host| ping(host, sent));
    let pongs = cluster.spawn(1, "pong", move |host| pong(host, data));
    let ran = cluster.run(LIMIT);
    let end = machine_api::check(&mut cluster, ran)?;
    pings.take().expect("the program is done")?;
    pongs.take().expect("the program is done")?;

    let observations = cluster.observations();
    let begins: Vec<_> = observations
        .iter()
        .enumerate()
        .filter(|(_, o)| o.place == Place::Node(0) && o.event == Event::Mark(BEGIN))
        .map(|(index, _)| index)
        .collect();
    let [one_way, to_sodimm, _] = begins[..] else {
        anyhow::bail!("three messages were to be observed, not {}", begins.len())
    };
    let line = TimeLine { stages: stages(&observations[to_sodimm..], Primitive::Botf)?.stages().to_vec() };
    let until = |from: usize, mark| -> Duration {
        let end =
            observations[from..].iter().find(|o| o.place == Place::Node(0) && o.event == Event::Mark(mark));
        end.expect("the program left its marks").time - observations[from].time
    };
    let sender = until(one_way, COMPLETE);
    let core = line.of(|stage| stage.name == "core");
    let rows = if job.bytes == 8 { shares(sender, core).into() } else { Vec::new() };
    Ok(Account {
        about: format!("{} bytes of data, host 0 to SO-DIMM of node 1", job.bytes),
        line,
        ways: &[],
        means: Vec::new(),
        rows,
        captured: cluster.take_captured(),
        from: Time::ZERO,
        end,
        fingerprint: cluster.fingerprint()?,
    })
}

/// Address of the messages in SO-DIMM.
const OFFSET: u32 = 0x1000;
/// Destinations of the three messages: one on whose completion the sender waits, then an exchange through SO-DIMM and
/// one through a Prefetch Window.
const DESTINATIONS: [Destination; 3] =
    [Destination::SoDimm(OFFSET), Destination::SoDimm(OFFSET), Destination::PrefetchWindow(0)];

fn packet(peer: Peer, destination: Destination) -> Packet {
    Packet { peer, swid: PROCESS.wid, destination, status: true, tag: 0 }
}

async fn ping(host: Host, data: Vec<u8>) -> anyhow::Result<()> {
    let mut board = ready(host, Start::default()).await;
    for (round, destination) in DESTINATIONS.into_iter().enumerate() {
        board.host().mark(BEGIN);
        board.send_packet(0, &packet(peer(1), destination), &data).await?;
        if round == 0 {
            board.wait_window(0).await;
            board.host().mark(COMPLETE);
        }
        board.next_arrival().await;
    }
    Ok(())
}

async fn pong(host: Host, data: Vec<u8>) -> anyhow::Result<()> {
    let mut board = ready(host, Start::default()).await;
    for destination in DESTINATIONS {
        board.next_arrival().await;
        board.send_packet(0, &packet(peer(0), destination), &data).await?;
    }
    Ok(())
}

/// Limit of virtual time for a byte of a stream: a thousand times what it takes.
const LIMIT_PER_BYTE: Duration = Duration::from_us(3);
/// Limit of virtual time for the shortest stream.
const SHORTEST: Duration = Duration::from_us(10_000);
/// Virtual time between two reports of progress.
const LOOK: Duration = Duration::from_us(100);

/// Sends bytes in BOTFs over four windows.
fn carry(bytes: Vec<u8>, nics: &dyn Nics<Dimmnet2>, told: &dyn Fn(u64)) -> anyhow::Result<Carried> {
    let mut cluster = Cluster::with_switch(nics.open(2)?, &Settings::default());
    let count = bytes.len() as u64;
    let sending = cluster.spawn(0, "send", move |host| send(host, bytes));
    let receiving = cluster.spawn(1, "receive", receive);
    let limit = SHORTEST + Duration::from_ps(LIMIT_PER_BYTE.ps() * count);
    let ran = run_telling(&mut cluster, limit, count, told);
    let end = machine_api::check(&mut cluster, ran)?;
    sending.take().expect("the program is done")?;
    let bytes = receiving.take().expect("the program is done")?;
    Ok(Carried { bytes, end, fingerprint: cluster.fingerprint()? })
}

/// Runs until both programs end; the Packet Counter of node 1 reports the progress.
fn run_telling(
    cluster: &mut Cluster,
    limit: Duration,
    bytes: u64,
    told: &dyn Fn(u64),
) -> Result<Time, RunError> {
    let counter = cluster.nodes()[1].nic().signals().iter().find(|signal| {
        signal.block == "core_logic.host_interface.user_register0" && signal.name == "packet_count"
    });
    let counter = counter.expect("a board has a Packet Counter").clone();
    let (end, mut sample) = (cluster.now() + limit, Vec::new());
    loop {
        match cluster.run(LOOK) {
            Err(RunError::Limit { .. }) if cluster.now() < end => {
                sample.clear();
                cluster.nodes()[1].nic().sample(&mut sample);
                told(bytes.min(counter.words(&sample)[0] * DATA_BYTES as u64));
            }
            done => return done,
        }
    }
}

async fn send(host: Host, bytes: Vec<u8>) -> anyhow::Result<()> {
    let mut board = Board::initialise(host, PROCESS).await;
    let mut sender = Sender::open(&board, peer(1)).await;
    Ok(sender.send(&mut board, &bytes).await?)
}

async fn receive(host: Host) -> anyhow::Result<Vec<u8>> {
    let mut board = Board::initialise(host, PROCESS).await;
    let mut receiver = Receiver::open(&mut board, peer(0)).await?;
    Ok(receiver.receive(&mut board).await?)
}

/// Limit of a program; none takes a hundredth of it.
const PROGRAM_LIMIT: Duration = Duration::from_us(10_000);

fn run_transpose(cluster: &mut Cluster, seed: u64) -> anyhow::Result<Done> {
    let (mut random, side) = (hdl::Stimulus::new(seed), SIDE as usize);
    let matrix: Vec<u32> = (0..side * side).map(|_| random.word() as u32).collect();
    let expected: Vec<u32> = (0..side * side).map(|at| matrix[at % side * side + at / side]).collect();
    let program = cluster.spawn(0, "transpose", move |host| transpose(host, PROCESS, matrix));
    let ran = cluster.run(PROGRAM_LIMIT);
    machine_api::check(cluster, ran)?;
    let transposed = program.take().expect("the program is done");
    Ok(Done {
        about: format!(
            "{SIDE} x {SIDE} elements of 4 bytes in the SO-DIMMs of one board, by {SIDE} VLS and {SIDE} VS"
        ),
        right: transposed.matrix == expected,
        phases: vec![
            ("store", transposed.store),
            ("transpose", transposed.transpose),
            ("load", transposed.load),
        ],
        message: None,
    })
}
