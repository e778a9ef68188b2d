//! Section 6.2: BOTF from a host to remote memory, figures 6.3 to 6.10.

use anyhow::Context;
use cluster::programs::Board as HostBoard;
use cluster::programs::botf::{DATA_BYTES, Destination, ImageError, Packet};
use cluster::{AnyNic, Cluster, Duration, Event, Host, Place, Time, Watch};
use dimmnet2::registers::UserRegister;
use dimmnet2::window_controller::botf;

use super::plot::{Figure, Series};
use super::published::Row;
use super::{Section, Shape};
use crate::anatomy;
use crate::jobs;
use crate::nic::Kind;
use crate::run::{self, Message, PROCESS, READY, peer};

/// What a measurement sends.
#[derive(Clone, Copy, Debug)]
struct Load {
    nic: Kind,
    /// Bytes of a message, which is cut into packets of up to 496.
    bytes: usize,
    /// Write Windows, used in turn.
    windows: u8,
    mode: Mode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Node 0 sends; the time ends when it knows that its last BOTF is complete.
    OneWay,
    /// Both nodes do that at once.
    BothWays,
    /// The message goes into the receiver's SO-DIMM, and the receiver answers with as much; half of the round trip.
    IntoSoDimm,
    /// The same into its Prefetch Windows.
    IntoPrefetchWindow,
}

/// Messages of a measurement; the mean counts, so that how polls fall does not.
const MESSAGES: u64 = 8;
/// Where messages go in SO-DIMM.
const OFFSET: u32 = 0x10_0000;
/// A measurement ends long before this.
const LIMIT: Duration = Duration::from_us(20_000);

impl Load {
    /// Time of a message.
    fn time(self) -> anyhow::Result<Duration> {
        let boards = run::boards(self.nic, 0, "memonet figures")?;
        let nics = boards.into_iter().map(|board| Box::new(board.ahead()) as Box<AnyNic>).collect();
        let mut cluster = Cluster::with_switch(nics);
        let sender = match self.mode {
            Mode::OneWay | Mode::BothWays => {
                let sender = cluster.spawn(0, "sender", move |host| self.send(host));
                let both = self.mode == Mode::BothWays;
                cluster.spawn(1, "other", move |host| async move {
                    if both {
                        self.send(host).await?;
                    } else {
                        HostBoard::initialise(host, PROCESS).await;
                    }
                    Ok::<_, ImageError>(())
                });
                sender
            }
            Mode::IntoSoDimm | Mode::IntoPrefetchWindow => {
                cluster.spawn(1, "pong", move |host| self.exchange(host, false));
                cluster.spawn(0, "ping", move |host| self.exchange(host, true))
            }
        };
        let ran = cluster.run(LIMIT);
        run::check(&mut cluster, ran)?;
        Ok(sender.take().expect("the program is done")?)
    }

    /// Sends messages as fast as windows come free.
    async fn send(self, host: Host) -> Result<Duration, ImageError> {
        let mut board = ready(host).await;
        let start = board.host().now();
        for _ in 0..MESSAGES {
            self.message(&mut board).await?;
            for window in 0..self.windows {
                board.wait_window(window).await;
            }
        }
        Ok(mean(board.host().now() - start))
    }

    /// Sends a message and waits for as much, or the other way round.
    async fn exchange(self, host: Host, first: bool) -> Result<Duration, ImageError> {
        let mut board = ready(host).await;
        let start = board.host().now();
        for _ in 0..MESSAGES {
            if first {
                self.message(&mut board).await?;
            }
            board.next_status().await;
            if !first {
                self.message(&mut board).await?;
            }
        }
        Ok(Duration::from_ps(mean(board.host().now() - start).ps() / 2))
    }

    /// The packets of a message; the last one asks for a status if somebody waits for it.
    async fn message(self, board: &mut HostBoard) -> Result<(), ImageError> {
        let data = [0x5a; DATA_BYTES];
        let packets = self.bytes.div_ceil(DATA_BYTES);
        for packet in 0..packets {
            let offset = packet * DATA_BYTES;
            let bytes = (self.bytes - offset).min(DATA_BYTES);
            let answered = matches!(self.mode, Mode::IntoSoDimm | Mode::IntoPrefetchWindow);
            let destination = match self.mode {
                Mode::IntoPrefetchWindow => Destination::PrefetchWindow(offset as u32),
                _ => Destination::SoDimm(OFFSET + offset as u32),
            };
            let packet = Packet {
                peer: peer(1 - board.host().node()),
                swid: PROCESS.wid,
                destination,
                status: answered && packet + 1 == packets,
                tag: 0,
            };
            let window = (offset / DATA_BYTES % usize::from(self.windows)) as u8;
            board.send_packet(window, &packet, &data[..bytes]).await?;
        }
        Ok(())
    }
}

/// A board that is initialised, at a time when all are.
async fn ready(host: Host) -> HostBoard {
    let board = HostBoard::initialise(host, PROCESS).await;
    board.host().compute((Time::ZERO + READY) - board.host().now()).await;
    board
}

fn mean(all: Duration) -> Duration {
    Duration::from_ps(all.ps() / MESSAGES)
}

/// Message sizes of figures 6.3 to 6.8: around every multiple of a packet, and between.
fn short() -> Vec<usize> {
    let mut sizes: Vec<_> = (1..=31).map(|n| 64 * n).collect();
    sizes.extend([8, 496, 504, 992, 1000, 1488, 1496]);
    sizes.sort();
    sizes
}

/// Message sizes of figures 6.9 and 6.10.
fn long() -> Vec<usize> {
    [2, 4, 8, 16, 24, 32, 48, 64].map(|kilobytes| 1024 * kilobytes).to_vec()
}

/// Curves of a mode for several numbers of windows: time in us over bytes.
fn times(nic: Kind, sizes: &[usize], curves: &[(Mode, u8, &str)]) -> anyhow::Result<Vec<Series>> {
    let mut loads = Vec::new();
    for &(mode, windows, _) in curves {
        loads.extend(sizes.iter().map(|&bytes| Load { nic, bytes, windows, mode }));
    }
    let times = jobs::run(&loads, "measurements", |load| load.time())?;
    let points = loads.iter().zip(times).map(|(load, time)| (load.bytes as f64, time.ps() as f64 / 1e6));
    let points: Vec<_> = points.collect();
    Ok(curves
        .iter()
        .zip(points.chunks(sizes.len()))
        .map(|(&(_, _, name), points)| Series { name: name.into(), points: points.to_vec() })
        .collect())
}

/// Bytes in a microsecond: MByte/s. Both nodes count where both send.
fn rates(times: &[Series], ways: f64) -> Vec<Series> {
    let rate = |series: &Series| Series {
        name: series.name.clone(),
        points: series.points.iter().map(|&(bytes, us)| (bytes, ways * bytes / us)).collect(),
    };
    times.iter().map(rate).collect()
}

const BYTES: &str = "message [byte]";
const US: &str = "time [us]";
const MB: &str = "throughput [MByte/s]";

/// Plots of time and throughput, and a row for the peak of each curve that was published.
struct Pair {
    time: Option<Figure>,
    rate: Figure,
    rows: Vec<Row>,
}

fn pair(
    ids: (Option<&'static str>, &'static str),
    title: &'static str,
    ways: f64,
    times: Vec<Series>,
    peaks: &[&str],
) -> Pair {
    let series = rates(&times, ways);
    let rows: Vec<_> = peaks.iter().zip(&series).map(|(id, series)| Row::new(id, series.peak())).collect();
    let published = rows.iter().enumerate().map(|(curve, row)| (curve, row.published)).collect();
    Pair {
        time: ids.0.map(|id| Figure { id, title, axes: [BYTES, US], series: times, published: Vec::new() }),
        rate: Figure { id: ids.1, title, axes: [BYTES, MB], series, published },
        rows,
    }
}

/// Measures section 6.2, or the figures among it that are asked for.
pub fn section(nic: Kind, asked: &dyn Fn(&str) -> bool) -> anyhow::Result<Section> {
    use Mode::{BothWays, IntoPrefetchWindow, IntoSoDimm, OneWay};
    const WINDOWS: [&str; 3] = ["1 Write Window", "2 Write Windows", "4 Write Windows"];
    let windows = |mode| [(mode, 1, WINDOWS[0]), (mode, 2, WINDOWS[1]), (mode, 4, WINDOWS[2])];
    let mut section = Section::default();
    if asked("6.3") || asked("6.4") {
        let times = times(nic, &short(), &windows(OneWay))?;
        let pair = pair((Some("6.4"), "6.3"), "BOTF one way", 1.0, times, &["B-01", "B-02", "B-03"]);
        let [one, two, four] = &pair.rate.series[..] else { unreachable!("three curves were asked for") };
        let dips = [(496.0, 504.0), (992.0, 1000.0), (1488.0, 1496.0)];
        let dip = |&(full, more): &(f64, f64)| one.at(more) < one.at(full);
        section.shape(
            "C-01",
            dips.iter().all(dip),
            "1 Write Window: throughput falls behind each full packet",
        );
        let gain = two.peak() / one.peak() > 1.3 && four.peak() / two.peak() < 1.3;
        section.shape("C-02", gain, "much gain from 1 to 2 Write Windows, little from 2 to 4");
        section.add(pair);
    }
    if asked("6.5") || asked("6.6") {
        let one_way = times(nic, &[1984], &windows(OneWay))?;
        let curves = times(nic, &short(), &windows(BothWays))?;
        let smallest = curves[0].at(8.0).expect("8 bytes are among the sizes");
        let pair = pair((Some("6.6"), "6.5"), "BOTF both ways", 2.0, curves, &["B-13", "B-14", "B-15"]);
        let both: Vec<_> = pair.rate.series.iter().map(|series| series.at(1984.0)).collect();
        let twice = rates(&one_way, 2.0).iter().map(|series| series.at(1984.0)).collect::<Vec<_>>();
        let close =
            both.iter().zip(&twice).all(|(both, twice)| both.unwrap_or(0.0) > 0.9 * twice.unwrap_or(0.0));
        section.shape("C-03", close, "both ways close to twice one way");
        section.rows.push(Row::new("B-16", smallest));
        section.add(pair);
    }
    if asked("6.7") || asked("6.8") {
        let mut curves = windows(IntoSoDimm).to_vec();
        curves.push((IntoPrefetchWindow, 4, "4 Write Windows into Prefetch Windows"));
        let times = times(nic, &short(), &curves)?;
        let ids = ["B-17", "B-18", "B-19", "B-20"];
        let pair = pair((Some("6.8"), "6.7"), "BOTF with reception", 1.0, times, &ids);
        let [_, two, four, window] = &pair.rate.series[..] else {
            unreachable!("four curves were asked for")
        };
        let equal = (four.peak() / two.peak() - 1.0).abs() < 0.1 && window.peak() > four.peak();
        section.shape(
            "C-05",
            equal,
            "2 and 4 Write Windows into SO-DIMM almost equal, Prefetch Windows better",
        );
        section.add(pair);
    }
    if asked("6.9") {
        let ways = |mode, ids: [&str; 2]| {
            let times = times(nic, &long(), &[(mode, 2, WINDOWS[1]), (mode, 4, WINDOWS[2])])?;
            anyhow::Ok(pair(
                (None, "6.9"),
                "long messages by BOTF",
                if mode == OneWay { 1.0 } else { 2.0 },
                times,
                &ids,
            ))
        };
        let (mut one, both) = (ways(OneWay, ["B-26", "B-27"])?, ways(BothWays, ["B-28", "B-29"])?);
        let flat = |series: &Series| series.at(2048.0) > Some(0.85 * series.peak());
        let all = one.rate.series.iter().chain(&both.rate.series);
        section.shape("C-06", all.clone().all(flat), "flat from 2 KB on");
        for series in &mut one.rate.series {
            series.name += ", one way";
        }
        one.rate.published.extend(both.rate.published.iter().map(|&(curve, value)| (curve + 2, value)));
        one.rate.series.extend(both.rate.series.into_iter().map(|mut series| {
            series.name += ", both ways";
            series
        }));
        one.rows.extend(both.rows);
        section.add(one);
    }
    if asked("6.10") {
        let times = times(nic, &long(), &[(IntoSoDimm, 2, WINDOWS[1]), (IntoSoDimm, 4, WINDOWS[2])])?;
        let pair =
            pair((None, "6.10"), "long messages by BOTF, with reception", 1.0, times, &["B-30", "B-31"]);
        let rises = |series: &Series| series.points.windows(2).all(|pair| pair[0].1 <= 1.01 * pair[1].1);
        section.shape("C-07", pair.rate.series.iter().all(rises), "rises from 2 KB to 64 KB");
        section.add(pair);
    }
    if asked("table 6.2") || asked("section 6.2") || asked("6.4") || asked("6.8") {
        section.rows.extend(single(nic)?);
    }
    section.rows.retain(|row| asked(row.figure));
    section.figures.retain(|figure| asked(figure.id));
    Ok(section)
}

impl Section {
    fn add(&mut self, pair: Pair) {
        self.figures.push(pair.rate);
        self.figures.extend(pair.time);
        self.rows.extend(pair.rows);
    }

    fn shape(&mut self, id: &'static str, holds: bool, says: &'static str) {
        self.shapes.push(Shape { id, holds, says });
    }
}

/// Rows about one message.
fn single(nic: Kind) -> anyhow::Result<Vec<Row>> {
    let mut rows = run::message(&Message { bytes: 8, nic, seed: 1, recording: None })?.rows;
    let us = |duration: Duration| duration.ps() as f64 / 1e6;
    let (small, large) = (Sending::of(nic, 8)?, Sending::of(nic, DATA_BYTES)?);
    rows.push(Row::new("B-04", us(large.written + large.issued)));
    rows.push(Row::new("B-05", us(large.moved)));
    rows.push(Row::new("B-09", us(small.read)));
    rows.push(Row::new("B-11", us(small.written)));
    rows.push(Row::new("B-12", us(small.issued)));
    Ok(rows)
}

/// The parts of sending one packet.
struct Sending {
    /// The host writes the image.
    written: Duration,
    /// The host issues the BOTF.
    issued: Duration,
    /// The host reads a register.
    read: Duration,
    /// From BOTF1 to END1: the lines go to SWIF.
    moved: Duration,
}

impl Sending {
    fn of(nic: Kind, data_bytes: usize) -> anyhow::Result<Self> {
        const MOVING: &str = "lines go to SWIF";
        const MOVED: &str = "lines are in SWIF";
        let boards = run::boards(nic, 0, "memonet figures")?;
        let mut cluster =
            Cluster::with_switch(boards.into_iter().map(|board| Box::new(board) as Box<AnyNic>).collect());
        cluster.observe();
        let path = "core_logic.window_controller.request_executor.botf";
        cluster.node_mut(0).watch(Watch::state(MOVING, path, botf::State::Botf1))?;
        cluster.node_mut(0).watch(Watch::state(MOVED, path, botf::State::BotfEnd2))?;
        let load = Load { nic, bytes: data_bytes, windows: 1, mode: Mode::OneWay };
        let sender = cluster.spawn(0, "sender", move |host| async move {
            let mut board = ready(host).await;
            board.host().mark(anatomy::BEGIN);
            load.message(&mut board).await?;
            board.wait_window(0).await;
            let start = board.host().now();
            board.host().load_uc(board.user(UserRegister::PrimitiveCounter)).await;
            Ok::<_, ImageError>(board.host().now() - start)
        });
        let ran = cluster.run(LIMIT);
        run::check(&mut cluster, ran)?;
        let observations = cluster.observations();
        let time = |event: Event| {
            let found = observations.iter().find(|o| o.place == Place::Node(0) && o.event == event);
            found.map(|o| o.time).with_context(|| format!("{event:?} was not observed"))
        };
        let (image, command) = (time(Event::Mark("image written"))?, time(Event::Mark("command issued"))?);
        Ok(Self {
            written: image - time(Event::Mark(anatomy::BEGIN))?,
            issued: command - image,
            read: sender.take().expect("the program is done")?,
            moved: time(Event::Watch(MOVED))? - time(Event::Watch(MOVING))?,
        })
    }
}
