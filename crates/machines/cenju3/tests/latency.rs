use cenju3_machine::settings::Nif;
use cenju3_machine::{Cenju3, Settings};
use machine_api::{Job, Models, Wait, Working};

const JOB: Job = Job { bytes: 8, seed: 1, capture: false, brief: false };

fn settings(nif: Nif, wait: Wait) -> Settings {
    let mut settings = Settings::default();
    (settings.nif, settings.wait) = (nif, wait);
    settings
}

#[test]
fn stages_of_a_message_and_its_answer_sum_to_the_round_trip() {
    let account = Cenju3::work(&JOB, &Models(settings(Nif::New, Wait::Poll))).unwrap();
    let total: u64 = account.line.stages.iter().map(|stage| stage.duration.ps()).sum();
    let [first, last] = [0, account.line.stages.len() - 1].map(|at| account.line.stages[at]);
    assert_eq!(total, (last.begin + last.duration - first.begin).ps());
    assert_eq!(account.rows[0].id, "M7");
}

#[test]
fn latency_is_the_published_one_for_each_rom_and_wait() {
    for (nif, wait, id, published) in [
        (Nif::Old, Wait::Event, "M1", 90.0),
        (Nif::Old, Wait::Interrupt, "M3", 140.0),
        (Nif::Old, Wait::Poll, "M4", 60.0),
        (Nif::New, Wait::Event, "M5", 70.0),
        (Nif::New, Wait::Poll, "M7", 40.0),
    ] {
        let account = Cenju3::work(&JOB, &Models(settings(nif, wait))).unwrap();
        let (row, half) = (&account.rows[0], account.means[0].1);
        assert_eq!(row.id, id);
        assert!((half / published - 1.0).abs() < 0.01, "{id}: {half} us");
    }
}
