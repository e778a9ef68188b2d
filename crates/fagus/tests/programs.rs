use fagus::programs::himeno::{self, Size};
use fagus::programs::{lu, matmul, sor, water};
use fagus::{Config, Dsm, Error, Stats, Wires};

/// Runs a program on 1 to 16 nodes over good wires and on three over faulty ones; all results must equal the
/// serial one.
fn all_have<R: PartialEq + std::fmt::Debug>(
    alone: &R,
    program: impl AsyncFn(&Dsm) -> Result<R, Error>,
) -> Stats {
    let bad = Config { wires: Wires::BAD, ..Config::default() };
    let runs = (1..=16).map(|nodes| (nodes, Config::default())).chain([(3, bad)]);
    let mut stats = Stats::default();
    for (nodes, config) in runs {
        let run = fagus::run(nodes, config, async |dsm| program(&dsm).await).unwrap();
        assert!(run.values.iter().all(|value| value == alone), "on {nodes} nodes");
        assert_eq!(run.values.len(), nodes);
        stats = stats.and(run.stats);
    }
    stats
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn himeno_has_one_gosa_on_any_number_of_nodes() {
    let alone = himeno::alone(Size::TINY, 3);
    assert!(alone.gosa > 0.0);
    all_have(&alone.gosa.to_bits(), async |dsm| {
        Ok(himeno::program(dsm, Size::TINY, 3).await?.gosa.to_bits())
    });
    let bits =
        |result: himeno::Result| result.pressure.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    let again = fagus::run(4, Config::default(), async |dsm| himeno::program(&dsm, Size::TINY, 3).await);
    assert_eq!(bits(again.unwrap().values.remove(3)), bits(alone));
}

#[test]
fn gosa_decreases_with_the_iterations() {
    let gosa = |iterations| himeno::alone(Size::XS, iterations).gosa;
    let (first, later) = (gosa(1), gosa(10));
    assert!(later < first && later > 0.0, "{first} {later}");
}

#[test]
fn sor_has_the_same_bits_on_any_number_of_nodes() {
    let alone = bits(&sor::alone(20, 3));
    all_have(&alone, async |dsm| Ok(bits(&sor::program(dsm, 20, 3).await?)));
}

#[test]
fn matrix_product_has_the_same_bits_on_any_number_of_nodes() {
    let alone = bits(&matmul::alone(20));
    let stats = all_have(&alone, async |dsm| Ok(bits(&matmul::program(dsm, 20).await?)));
    assert!(stats.copies > 0);
}

#[test]
fn lu_has_the_same_bits_on_any_nodes_and_factors_the_matrix() {
    const SIZE: usize = 20;
    let alone = lu::alone(SIZE);
    let lower = |row: usize, k: usize| if row == k { 1.0 } else { alone[row * SIZE + k] };
    let product = |row: usize, column: usize| {
        (0..=row.min(column)).map(|k| lower(row, k) * alone[k * SIZE + column]).sum::<f64>()
    };
    assert!((product(3, 3) - SIZE as f64).abs() < 1e-9);
    assert!((product(9, 4) - 1.0 / 7.0 * ((9 * 5 + 4 * 3) % 7) as f64).abs() < 1e-9);
    all_have(&bits(&alone), async |dsm| Ok(bits(&lu::program(dsm, SIZE).await?)));
}

#[test]
fn water_has_the_same_bits_on_any_nodes_and_keeps_momentum() {
    let alone = water::alone(27, 4);
    let momentum = |all: &[f64]| all.chunks(6).map(|molecule| molecule[3]).sum::<f64>();
    assert!((momentum(&alone) - momentum(&water::alone(27, 0))).abs() < 1e-9);
    let stats = all_have(&bits(&alone), async |dsm| Ok(bits(&water::program(dsm, 27, 4).await?)));
    assert!(stats.copies > 0);
}
