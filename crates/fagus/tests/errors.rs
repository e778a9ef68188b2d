use std::time::Duration;

use fagus::{Config, Dsm, Error, Shared, Wires};

fn fails<R: std::fmt::Debug>(
    nodes: usize,
    config: Config,
    program: impl AsyncFn(Dsm) -> Result<R, Error>,
) -> Error {
    fagus::run(nodes, config, program).unwrap_err().error
}

async fn parts(dsm: Dsm, parts: &[std::ops::Range<usize>]) -> Result<(), Error> {
    dsm.shared_in::<f32>("p", 10, parts).await.map(drop)
}

#[test]
fn parts_that_overlap_or_leave_something_out_are_refused() {
    let with = |given: &[std::ops::Range<usize>]| {
        fails(1, Config::default(), async |dsm| parts(dsm, given).await).to_string()
    };
    assert_eq!(with(&[0..6, 5..10]), "`p`: parts 0..6 and 5..10 overlap; each element belongs to one part");
    let gap = "`p` of 10 elements: 6..10 does not follow; parts are to cover all elements, in their order";
    assert_eq!(with(&[0..5, 6..10]), gap);
    assert!(with(&[0..5, 5..11]).contains("5..11 does not follow"));
    assert!(with(&[0..5, 5..5, 5..10]).contains("5..5 does not follow"));
    assert!(
        with(&[0..5, 0..0, 5..10]).contains("0..0 does not follow"),
        "a part without elements overlaps none"
    );
    assert!(with(&[]).contains("0..10 does not follow"));
}

#[test]
fn range_over_two_parts_is_refused() {
    let error = fails(1, Config::default(), async |dsm| {
        let p: Shared<[f32]> = dsm.shared_in("p", 10, &[0..5, 5..10]).await?;
        p.read(4..6).await.map(drop)
    });
    assert_eq!(error.to_string(), "`p`: 4..6 is not within one part; take a guard of each part");
}

#[test]
fn range_without_elements_is_refused() {
    let error = fails(1, Config::default(), async |dsm| {
        let p: Shared<[f32]> = dsm.shared_in("p", 10, &[0..5, 5..10]).await?;
        p.read(4..4).await.map(drop)
    });
    assert_eq!(error, Error::NotAPart { name: "p".into(), range: 4..4 });
}

#[test]
fn deadlock_by_guards_names_the_nodes() {
    for wires in [Wires::GOOD, Wires::BAD] {
        let config = Config { wires, ..Config::default() };
        let error = fails(3, config, async |dsm| {
            let data: Shared<[u32]> = dsm.shared_in("data", 3, &[0..1, 1..2, 2..3]).await?;
            let (mine, next) = (dsm.node(), (dsm.node() + 1) % 3);
            let guard = data.write(mine..mine + 1).await?;
            dsm.barrier().await?;
            let other = data.read(next..next + 1).await?;
            Ok(guard[0] + other[0])
        });
        let Error::Cycle(words) = error else { panic!("{error}") };
        for node in 0..3 {
            let next = (node + 1) % 3;
            let link =
                format!("node {node} waits to read `data` {next}..{} until node {next} goes on", next + 1);
            assert!(words.contains(&link), "{words}");
        }
    }
}

#[test]
fn guard_held_at_a_barrier_is_reported_as_deadlock() {
    let error = fails(2, Config::default(), async |dsm| {
        let data: Shared<[u32]> = dsm.shared_whole("data", 1).await?;
        if dsm.node() == 0 {
            let guard = data.read(0..1).await?;
            dsm.barrier().await?;
            drop(guard);
        } else {
            dsm.compute(Duration::from_millis(1)).await?;
            data.write(0..1).await?[0] = 1;
            dsm.barrier().await?;
        }
        Ok(())
    });
    let words = "nodes wait for each other: node 0 waits at barrier 2 until node 1 goes on; node 1 waits to write `data` 0..1 until node 0 goes on";
    let turned = "nodes wait for each other: node 1 waits to write `data` 0..1 until node 0 goes on; node 0 waits at barrier 2 until node 1 goes on";
    assert!([words, turned].contains(&error.to_string().as_str()), "{error}");
}

#[test]
fn write_under_an_own_read_guard_is_reported_as_deadlock() {
    let error = fails(1, Config::default(), async |dsm| {
        let data: Shared<[u32]> = dsm.shared("data", 1).await?;
        let guard = data.read(0..1).await?;
        data.write(0..1).await?[0] = guard[0];
        Ok(())
    });
    assert_eq!(error, Error::Cycle("node 0 waits to write `data` 0..1 until node 0 goes on".into()));
}

#[test]
fn death_of_an_owner_names_what_is_lost() {
    let wires = Wires { dies: Some((2, Duration::from_millis(30))), ..Wires::GOOD };
    let error = fails(3, Config { wires, ..Config::default() }, async |dsm| {
        let data: Shared<[u32]> = dsm.shared_in("data", 3, &[0..1, 1..2, 2..3]).await?;
        if dsm.node() == 2 {
            // Node 2 becomes the owner of a part that another node owned initially.
            data.write(0..1).await?[0] = 1;
        }
        dsm.compute(Duration::from_millis(50)).await?;
        dsm.barrier().await
    });
    assert_eq!(error, Error::Dead { node: 2, lost: vec!["`data` 0..1".into(), "`data` 2..3".into()] });
    assert_eq!(error.to_string(), "node 2 does not answer; lost with it: `data` 0..1, `data` 2..3");
}

#[test]
fn different_declarations_are_detected() {
    let error = fails(3, Config::default(), async |dsm| {
        let length = if dsm.node() == 1 { 7 } else { 8 };
        dsm.shared::<u8>("data", length).await.map(drop)
    });
    assert!(matches!(error, Error::Disagree(_)), "{error}");
}

#[test]
fn node_that_ends_before_a_barrier_is_detected() {
    let error = fails(2, Config::default(), async |dsm| match dsm.node() {
        0 => dsm.barrier().await,
        _ => Ok(()),
    });
    assert!(matches!(error, Error::Disagree(_)), "{error}");
}

#[test]
fn only_an_owner_pushes() {
    let error = fails(2, Config::default(), async |dsm| {
        let data: Shared<[u32]> = dsm.shared("data", 2).await?;
        if dsm.node() == 1 { data.push(0..1, 0) } else { dsm.barrier().await }
    });
    assert_eq!(error, Error::NotOwner { node: 1, what: "`data` 0..1".into() });
}

#[test]
fn invalid_numbers_are_refused() {
    let error = fails(1, Config::default(), async |dsm| dsm.lock(64).await.map(drop));
    assert_eq!(error.to_string(), "there is no lock 64 among 64");
    let run = fagus::run(65, Config::default(), async |_| Ok(()));
    assert!(run.unwrap_err().to_string().contains("there is no run of nodes 65 among 64"));
}

#[test]
fn run_that_takes_too_long_ends() {
    let config = Config { limit: Duration::from_secs(1), ..Config::default() };
    let error = fails(1, config, async |dsm| dsm.compute(Duration::from_secs(2)).await);
    assert_eq!(error, Error::Limit(Duration::from_secs(1)));
}
