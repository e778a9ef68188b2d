//! Sizes encoded by the one-hot codes of configuration registers. Code 0, the reset value, selects the
//! default.

/// Bytes of the ring of receive statuses for a code in Status Area Size (thesis table A.5).
///
/// | code | bytes | code | bytes |
/// |---|---|---|---|
/// | 7'b0000001 | 64 | 7'b0010000 | 1024 |
/// | 7'b0000010 | 128 | 7'b0100000 | 2048 |
/// | 7'b0000100 | 256 | 7'b1000000 | 4096 |
/// | 7'b0001000 | 512 | any other | 1024 |
pub const fn status_area_bytes(code: u8) -> u16 {
    match code & 0x7f {
        0b0000001 => 64,
        0b0000010 => 128,
        0b0000100 => 256,
        0b0001000 => 512,
        0b0100000 => 2048,
        0b1000000 => 4096,
        _ => 1024,
    }
}

/// Megabytes of one SO-DIMM for a code in SO-DIMM Capacity (thesis table 4.10).
///
/// | code | MB | code | MB |
/// |---|---|---|---|
/// | 6'b000001 | 256 | 6'b010000 | 4096 |
/// | 6'b000010 | 512 | 6'b100000 | 8192 |
/// | 6'b000100 | 1024 | any other | 256 |
/// | 6'b001000 | 2048 | | |
pub const fn sdimm_capacity_megabytes(code: u8) -> u32 {
    match code & 0x3f {
        0b000010 => 512,
        0b000100 => 1024,
        0b001000 => 2048,
        0b010000 => 4096,
        0b100000 => 8192,
        _ => 256,
    }
}

/// Bytes of payload of an InfiniBand packet for a code in MTU (thesis table 4.11).
///
/// | code | bytes | code | bytes |
/// |---|---|---|---|
/// | 5'b00001 | 256 | 5'b01000 | 2048 |
/// | 5'b00010 | 512 | 5'b10000 | 4096 |
/// | 5'b00100 or 5'b10100 | 1024 | any other | 2048 |
///
/// The table prints 5'b10100 for 1024, against the one-hot pattern of its neighbours. This may be a misprint,
/// so both codes mean 1024.
pub const fn mtu_bytes(code: u8) -> u16 {
    match code & 0x1f {
        0b00001 => 256,
        0b00010 => 512,
        0b00100 | 0b10100 => 1024,
        0b10000 => 4096,
        _ => 2048,
    }
}

/// One-hot MTU code for `bytes`; `None` unless `bytes` is in the table of [`mtu_bytes`].
pub fn mtu_code(bytes: u16) -> Option<u8> {
    (0..5).map(|bit| 1 << bit).find(|code| mtu_bytes(*code) == bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_area_codes_are_one_hot_and_anything_else_is_1024() {
        let one_hot: Vec<_> = (0..7).map(|bit| status_area_bytes(1 << bit)).collect();
        assert_eq!(one_hot, [64, 128, 256, 512, 1024, 2048, 4096]);
        let others = (0u8..0x80).filter(|code| !code.is_power_of_two());
        assert!(others.map(status_area_bytes).all(|bytes| bytes == 1024));
    }

    #[test]
    fn sdimm_capacity_codes_are_one_hot_and_anything_else_is_256() {
        let one_hot: Vec<_> = (0..6).map(|bit| sdimm_capacity_megabytes(1 << bit)).collect();
        assert_eq!(one_hot, [256, 512, 1024, 2048, 4096, 8192]);
        let others = (0u8..0x40).filter(|code| !code.is_power_of_two());
        assert!(others.map(sdimm_capacity_megabytes).all(|megabytes| megabytes == 256));
    }

    #[test]
    fn mtu_codes_are_one_hot_or_as_printed_and_any_other_is_2048() {
        let one_hot: Vec<_> = (0..5).map(|bit| mtu_bytes(1 << bit)).collect();
        assert_eq!(one_hot, [256, 512, 1024, 2048, 4096]);
        assert_eq!(mtu_bytes(0b10100), 1024);
        assert_eq!([256, 1024, 4096, 1000].map(mtu_code), [Some(1), Some(4), Some(16), None]);
        let others = (0u8..0x20).filter(|&code| !code.is_power_of_two() && code != 0b10100);
        assert!(others.map(mtu_bytes).all(|bytes| bytes == 2048));
    }
}
