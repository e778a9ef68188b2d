//! The accesses of each command, on a target that records them.

use machine_api::ShellRequest;
use machine_api::command::parse;

use super::super::manual::MANUAL;
use super::*;

/// A target that records accesses and answers reads from a script of words.
#[derive(Default)]
struct Noted {
    accesses: Vec<Access>,
    words: Vec<u64>,
}

impl Target<Dimmnet2> for Noted {
    fn access(&mut self, accesses: &[Access]) -> Result<Vec<Vec<u8>>, TargetError> {
        self.accesses.extend_from_slice(accesses);
        Ok(accesses
            .iter()
            .map(|access| match access {
                Access::Load(_) => {
                    let word = if self.words.is_empty() { 0 } else { self.words.remove(0) };
                    word.to_le_bytes().to_vec()
                }
                Access::LoadLines { lines, .. } => (0..64 * *lines).map(|i| i as u8).collect(),
                _ => vec![],
            })
            .collect())
    }
}

fn try_line(line: &str, wid: bool, words: &[u64]) -> Result<(String, Vec<Access>), ExecuteError> {
    let (command, arguments) = parse(line, MANUAL).unwrap().expect("it is a command of the manual");
    let ShellRequest::Own(command) = (command.build)(&arguments) else { panic!("{line} is not for a board") };
    let mut target = Noted { words: words.to_vec(), ..Noted::default() };
    let text = execute(&command, wid, &mut target)?;
    Ok((text, target.accesses))
}

fn accesses(line: &str, wid: bool) -> Vec<Access> {
    try_line(line, wid, &[]).unwrap().1
}

#[test]
fn llcm_write_stores_halves_that_grow() {
    use Access::StoreHalf;
    let expected = [StoreHalf(0x28004, 0xffff_ffff), StoreHalf(0x28008, 1), StoreHalf(0x2800c, 3)];
    assert_eq!(accesses("llcm_write from=4 it=3 val=0xffffffff inc=2", true), expected);
    assert_eq!(accesses("llcm_write from=0x7ffc it=1 val=1 inc=0", false), [StoreHalf(0x27ffc, 1)]);
    assert_eq!(accesses("llcm_write from=0 it=0 val=1 inc=0", false), []);
}

#[test]
fn write_to_a_window_is_combined_and_fenced() {
    let bytes = [0xaaaa_0000u32, 0xaaaa_0001].into_iter().flat_map(u32::to_le_bytes).collect();
    let expected = [Access::StoreCombining(0x02208, bytes), Access::Fence];
    assert_eq!(accesses("ww_write ww=1 from=8 it=2 val=0xaaaa0000 inc=1", true), expected);
}

#[test]
fn request_is_issued_upper_first_once_the_register_is_free() {
    let line = "prim RVS dt=0 it=0 dw=1 dl=3 ef=1 size=0x800 src=0x1000 dst=0x2000";
    let (text, accesses) = try_line(line, false, &[]).unwrap();
    assert_eq!(text, "cmd:200000001000_800400d0014\n");
    let expected = [
        Access::Load(0x40200),
        Access::Store(0x40010, 0x0000_2000_0000_1000),
        Access::Store(0x40000, 0x0000_0800_400d_0014),
    ];
    assert_eq!(accesses, expected);
    assert_eq!(try_line(line, false, &[1]).unwrap_err(), ExecuteError::Waiting);
}

#[test]
fn remote_write_is_a_botf_of_an_rvs_for_llcm() {
    let image = [0x4000_0003_0001_4000u64, 0x0000_00c8_0000_00c8, 8];
    let image = image.into_iter().flat_map(u64::to_le_bytes).collect();
    let expected = [
        Access::Load(0x40200),
        Access::StoreCombining(0x00600, image),
        Access::Fence,
        Access::Store(0x40000, 0x0000_0018_0000_0061),
    ];
    assert_eq!(accesses("rllcm_write 3 200 8", false), expected);
}

#[test]
fn dumps_begin_at_their_offset() {
    let (text, accesses) = try_line("evpbuf_read 0x48 24", true, &[]).unwrap();
    assert_eq!(accesses, [Access::LoadLines { address: 0x38040, lines: 1 }]);
    assert_eq!(text.lines().nth(1), Some("#42174048: 0f0e0d0c0b0a0908 1716151413121110"));
    assert_eq!(text.lines().nth(2), Some("#42174058: 1f1e1d1c1b1a1918"));
    let (_, accesses) = try_line("pw_read 3 512", false, &[]).unwrap();
    assert_eq!(accesses, [Access::LoadLines { address: 0x10600, lines: 8 }]);
    let (text, accesses) = try_line("llcm_read 0x7ff8 4", false, &[7]).unwrap();
    assert_eq!(accesses, [Access::Load(0x27ff8)]);
    assert_eq!(text.lines().nth(1), Some("#42163ff8: 0000000000000007"));
    assert_eq!(try_line("pw_read 0 0", false, &[]).unwrap().0.lines().count(), 1);
}

#[test]
fn registers_are_reached_at_the_offsets_of_their_pages() {
    assert_eq!(accesses("sreg_write ctl_reset 1", true), [Access::Store(0x50a00, 1)]);
    assert_eq!(accesses("sreg_write clt_reset 1", true), [Access::Store(0x50a00, 1)]);
    assert_eq!(accesses("sreg_write amt addr=2 wid=1 lid=3", false), [Access::Store(0x50b00, 0xd002)]);
    assert_eq!(accesses("ureg_write status_nra 0x10", true), [Access::Store(0x41b00, 0x10)]);
    assert_eq!(accesses("ureg_read evpbuf_nwa", false), [Access::Load(0x40700)]);
    assert_eq!(accesses("sreg_read sma_lid", true), [Access::Load(0x50300)]);
}

#[test]
fn counters_are_taken_apart() {
    let word = 1 << 50 | 2 << 40 | 3 << 30 | 4 << 20 | 5 << 10 | 6;
    let (text, _) = try_line("ureg_read prim_counter", false, &[word]).unwrap();
    let lines: Vec<_> = text.lines().skip(3).collect();
    assert_eq!(lines, ["BOTF  : 6", "VL    : 5", "VS    : 4", "RVL   : 3", "RVS   : 2", "IPUSH : 1"]);
}

#[test]
fn what_is_outside_its_area_is_refused() {
    for (line, expected) in [
        ("llcm_read 0x8000 8", "8 bytes from 0x8000 on are outside LLCM, which has 0x8000 bytes"),
        (
            "llcm_read 0xfffffff8 0xffffffff",
            "4294967295 bytes from 0xfffffff8 on are outside LLCM, which has 0x8000 bytes",
        ),
        ("evpbuf_read 0 4097", "4097 bytes from 0x0 on are outside LH Buffer, which has 0x1000 bytes"),
        ("pw_read 0 513", "513 bytes from 0x0 on are outside the window, which has 0x200 bytes"),
        (
            "llcm_write from=0 it=0xffffffff val=0 inc=0",
            "17179869180 bytes from 0x0 on are outside LLCM, which has 0x8000 bytes",
        ),
        (
            "ww_write ww=3 from=508 it=2 val=0 inc=0",
            "8 bytes from 0x1fc on are outside the window, which has 0x200 bytes",
        ),
        ("rllcm_write 3 0x8000 8", "8 bytes from 0x8000 on are outside LLCM, which has 0x8000 bytes"),
        ("llcm_read 4 8", "Offset 0x4 is not a multiple of 8"),
        ("llcm_write from=2 it=1 val=0 inc=0", "from 0x2 is not a multiple of 4"),
        ("sreg_write mtu 32", "the value does not fit, mtu has 5 bits"),
        ("ureg_write status_nra 0x8000", "the value does not fit, status_nra has 15 bits"),
    ] {
        assert_eq!(try_line(line, false, &[]).unwrap_err().to_string(), expected, "{line}");
    }
    assert!(try_line("ureg_write prim_counter_reset 0xffffffffffffffff", false, &[]).is_ok());
}
