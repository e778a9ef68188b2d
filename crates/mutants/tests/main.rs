//! The faults that the blocks of DIMMnet-2 and GigaE PM/2 can have.

use std::path::Path;

use mutants::{Block, Fault, Operator, Planted, draw, rust, sites, systemverilog};

fn blocks() -> Vec<Block> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let all = [dimmnet2::tables::PACKAGES, gigae_pm::tables::PACKAGES];
    all.into_iter().flat_map(|packages| Block::all(&root, packages).expect("twins can be read")).collect()
}

/// `swif`, `gigae_pm` and `mac` only connect blocks of several clocks; the function `region` takes a number
/// in place of the bundle of input pins.
const WITHOUT: [&str; 4] = ["region", "swif", "gigae_pm", "mac"];

#[test]
fn every_block_but_four_can_have_faults() {
    let without: Vec<_> =
        blocks().iter().filter(|block| sites::of(block).is_empty()).map(|block| block.name.clone()).collect();
    assert_eq!(without, WITHOUT);
}

#[test]
fn every_operator_applies_to_some_block() {
    let mut kinds: Vec<_> = blocks().iter().flat_map(sites::of).map(|fault| fault.operator.kind()).collect();
    kinds.sort();
    kinds.dedup();
    assert_eq!(kinds.len(), 15, "{kinds:?}");
}

#[test]
fn every_drawn_fault_can_be_written_into_both_texts() {
    for block in blocks() {
        let faults = sites::of(&block);
        let count = faults.len();
        for (number, fault) in (1..).zip(draw::sample(vec![faults], count, 10, 1)) {
            let one = [Planted { number, fault }];
            let text = systemverilog::plant(&block, &one);
            assert!(text.contains(&format!("mutant == 32'd{number}")), "{}", one[0].fault);
            let text = rust::plant(&block, &one);
            assert_ne!(text, block.rust_text, "{}", one[0].fault);
        }
    }
}

#[test]
fn draw_depends_on_the_seed_and_covers_every_block() {
    let faults: Vec<_> = blocks().iter().map(sites::of).collect();
    let draw = |seed| draw::sample(faults.clone(), 700, 10, seed);
    assert_eq!(draw(1), draw(1));
    assert_ne!(draw(1), draw(2));
    for block in &faults {
        let Some(first) = block.first() else { continue };
        let drawn = draw(1).iter().filter(|fault| fault.block == first.block).count();
        assert!(drawn >= block.len().min(10), "{}: {drawn}", first.block);
    }
}

#[test]
fn new_faults_displace_at_most_as_many_others() {
    let mut faults: Vec<_> = blocks().iter().map(sites::of).collect();
    let before = draw::sample(faults.clone(), 700, 10, 1);
    let first = faults[0][0].clone();
    let new =
        |number| Fault { operator: Operator::LostBit { register: format!("new_{number}") }, ..first.clone() };
    faults[0].extend((0..20).map(new));
    let after = draw::sample(faults, 700, 10, 1);
    let kept = before.iter().filter(|fault| after.contains(fault)).count();
    let came = after.len() - kept;
    assert_eq!((before.len(), after.len()), (700, 700));
    assert!((1..=20).contains(&came), "{came} came");
}

/// The board replaces parts of its Core Logic through `tick_of`.
#[test]
fn inputs_are_changed_inside_tick_of() {
    let block = blocks().into_iter().find(|block| block.name == "core_logic").expect("it is a block");
    let is_input = |fault: &Fault| matches!(fault.operator, Operator::WrongInput { .. });
    let fault = sites::of(&block).into_iter().find(is_input).expect("it has inputs");
    let text = rust::plant(&block, &[Planted { number: 1, fault }]);
    let [before, function] = text.split("pub fn tick_of<").collect::<Vec<_>>()[..] else { panic!("{text}") };
    assert!(function.contains("mutated::flip(&mut pins.") && !before.contains("mutated::flip(&mut pins."));
}
