use cluster::Rates;
use hdl::Model;

use super::*;
use crate::tap::traffic::{Program, Traffic};
use gigae_pm_machine::{AnyNic, Settings, mac_address};

/// An external Ethernet in memory.
#[derive(Clone, Default)]
struct Memory {
    /// Frames for the card.
    inbox: Rc<RefCell<VecDeque<Vec<u8>>>>,
    /// Frames from the card.
    outbox: Rc<RefCell<Vec<Vec<u8>>>>,
    down: Rc<RefCell<bool>>,
}

impl Outside for Memory {
    fn receive(&mut self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        let frame = self.inbox.borrow_mut().pop_front();
        Ok(frame.map(|frame| {
            buffer[..frame.len()].copy_from_slice(&frame);
            frame.len()
        }))
    }

    fn send(&mut self, frame: &[u8]) -> io::Result<bool> {
        let up = !*self.down.borrow();
        if up {
            self.outbox.borrow_mut().push(frame.to_vec());
        }
        Ok(up)
    }
}

impl Memory {
    fn put(&self, frames: impl IntoIterator<Item = Vec<u8>>) {
        self.inbox.borrow_mut().extend(frames);
    }

    fn take(&self) -> Vec<Vec<u8>> {
        self.outbox.take()
    }
}

fn bridge(nodes: usize, faults: Rates, capture: Option<Capture<GigaePm>>) -> (Bridge<Memory>, Vec<Memory>) {
    let card = |_| Box::new(Model::new(<GigaePm as cluster::Machine>::Device::default())) as Box<AnyNic>;
    let mut cluster = Cluster::with_switch((0..nodes).map(card).collect(), &Settings::default());
    cluster.set_faults(faults, 1);
    let outsides = vec![(); nodes].iter().map(|()| Memory::default()).collect::<Vec<_>>();
    (Bridge::new(cluster, outsides.clone(), capture).unwrap(), outsides)
}

/// Simulates until the cluster is quiet.
fn settle(bridge: &mut Bridge<Memory>) {
    for _ in 0..10_000 {
        if bridge.step().unwrap() == Activity::Quiet {
            return;
        }
    }
    panic!("the bridge does not come to rest");
}

/// A frame between two nodes, or a broadcast, with contents that depend on its number.
fn frame(from: u16, to: Option<u16>, number: u8, size: usize) -> Vec<u8> {
    let destination = to.map_or([0xff; 6], mac_address);
    let mut frame = [&destination[..], &mac_address(from), &[8, 0]].concat();
    frame.extend((frame.len()..size).map(|i| (i * 7) as u8 ^ number));
    frame
}

#[test]
fn frames_arrive_unchanged_at_their_destination() {
    let (mut bridge, outsides) = bridge(3, Rates::default(), None);
    let frames: Vec<_> = (0..100).map(|i| frame(0, Some(2), i, 60 + 1454 * usize::from(i) / 99)).collect();
    outsides[0].put(frames.clone());
    outsides[2].put([frame(2, Some(0), 1, 1514)]);
    settle(&mut bridge);
    assert_eq!(outsides[0].take(), [frame(2, Some(0), 1, 1514)]);
    assert_eq!(outsides[1].take(), [[0; 0]; 0]);
    assert!(outsides[2].take() == frames);
    let bytes = frames.iter().map(|frame| frame.len() as u64).sum();
    assert_eq!(bridge.counts(0).sent, FrameCount { frames: 100, bytes });
    assert_eq!(bridge.counts(2).received, FrameCount { frames: 100, bytes });
}

#[test]
fn broadcasts_reach_all_others_and_short_frames_are_padded() {
    let (mut bridge, outsides) = bridge(3, Rates::default(), None);
    outsides[1].put([frame(1, None, 9, 42)]);
    settle(&mut bridge);
    let mut arrived = frame(1, None, 9, 42);
    arrived.resize(60, 0);
    assert_eq!(
        outsides.iter().map(Memory::take).collect::<Vec<_>>(),
        [vec![arrived.clone()], vec![], vec![arrived]]
    );
}

#[test]
fn refused_and_undelivered_frames_are_counted() {
    let (mut bridge, outsides) = bridge(2, Rates::default(), None);
    outsides[0].put([13, 1515, 9000, 0].map(|size| vec![0; size]));
    outsides[0].put([frame(0, Some(1), 1, 14), frame(0, Some(1), 2, 1514)]);
    settle(&mut bridge);
    assert_eq!((bridge.counts(0).refused, bridge.counts(0).sent.frames), (4, 2));
    assert_eq!(outsides[1].take().len(), 2);
    *outsides[1].down.borrow_mut() = true;
    outsides[0].put([frame(0, Some(1), 3, 100)]);
    settle(&mut bridge);
    assert_eq!((bridge.counts(1).not_taken, bridge.counts(1).received.frames), (1, 2));
}

#[test]
fn bridge_is_quiet_between_frames() {
    let (mut bridge, outsides) = bridge(2, Rates::default(), None);
    settle(&mut bridge);
    for number in 0..3 {
        let before = bridge.cluster().now();
        outsides[1].put([frame(1, Some(0), number, 200)]);
        assert_eq!(bridge.step().unwrap(), Activity::Busy);
        settle(&mut bridge);
        assert_eq!(outsides[0].take().len(), 1);
        assert!(bridge.cluster().now() - before < Duration::from_us(400), "the bridge is quiet again soon");
    }
}

#[test]
fn pm_messages_arrive_once_in_order_on_faulty_wires() {
    for program in [Program::PingPong, Program::Stream] {
        let faults = Rates {
            loss: 50_000,
            duplication: 20_000,
            reordering: 20_000,
            corruption: 20_000,
            ..Rates::default()
        };
        let (mut bridge, outsides) = bridge(2, faults, None);
        let traffic = Traffic::start(bridge.cluster(), program, 300);
        for number in 0..=255 {
            outsides[0].put([frame(0, Some(1), number, 800)]);
            outsides[1].put([frame(1, Some(0), number, 64)]);
            assert_eq!(bridge.step().unwrap(), Activity::Busy);
        }
        for _ in 0..1_000 {
            bridge.step().unwrap();
        }
        let arrived = outsides[1].take();
        let good = |arrived: &Vec<u8>| (0..=255).any(|number| *arrived == frame(0, Some(1), number, 800));
        assert!(arrived.iter().all(good), "frames arrive unchanged");
        assert!((200..=256).contains(&arrived.len()), "{}", arrived.len());
        // `messages` fails unless each message arrives once and in order.
        assert!(traffic.messages().unwrap() > 60, "{program:?}: {:?}", traffic.messages());
    }
}

#[test]
fn capture_contains_every_frame_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("frames.pcapng");
    let (mut bridge, outsides) = bridge(2, Rates::default(), Capture::wanted(Some(&path), 2).unwrap());
    outsides[0].put([frame(0, Some(1), 1, 200), frame(0, Some(1), 2, 1514)]);
    settle(&mut bridge);
    assert_eq!(bridge.finish().unwrap(), Some(2));
    let read = crate::pcapng::tests::read(&path);
    assert!(read.iter().all(|packet| packet.interface == 0));
    let bytes: Vec<_> = read.iter().map(|packet| packet.bytes[..packet.bytes.len() - 4].to_vec()).collect();
    assert_eq!(bytes, [frame(0, Some(1), 1, 200), frame(0, Some(1), 2, 1514)]);
    assert!(read.is_sorted_by_key(|packet| packet.ns));
}
