//! Static rates (`ibv_rate`) as multiples of 2.5 Gbit/s and in Mbit/s, as rdma-core converts them.
#![allow(unsafe_code)]

use crate::abi::c_int;

/// Code, multiple of 2.5 Gbit/s (0 where it is none of the InfiniBand Architecture 1.2), and Mbit/s of each rate.
const RATES: [(c_int, c_int, c_int); 23] = [
    (2, 1, 2_500),
    (5, 2, 5_000),
    (3, 4, 10_000),
    (6, 8, 20_000),
    (4, 12, 30_000),
    (7, 16, 40_000),
    (8, 24, 60_000),
    (9, 32, 80_000),
    (10, 48, 120_000),
    (11, 0, 14_062),
    (12, 0, 56_250),
    (13, 0, 112_500),
    (14, 0, 168_750),
    (15, 0, 25_781),
    (16, 0, 103_125),
    (17, 0, 206_250),
    (18, 0, 309_375),
    (19, 11, 28_125),
    (20, 20, 53_125),
    (21, 160, 425_000),
    (22, 240, 637_500),
    (23, 320, 850_000),
    (24, 480, 1_275_000),
];

/// The rate of an index into a row of [`RATES`], or `none`.
fn find(
    from: impl Fn(&(c_int, c_int, c_int)) -> bool,
    to: fn(&(c_int, c_int, c_int)) -> c_int,
    none: c_int,
) -> c_int {
    RATES.iter().find(|row| from(row)).map_or(none, to)
}

// SAFETY of all below: the names are those of rdma-core, taken on purpose.

/// Multiple of 2.5 Gbit/s of a rate; -1 if it is none.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_rate_to_mult(rate: c_int) -> c_int {
    find(|row| row.0 == rate && row.1 > 0, |row| row.1, -1)
}

/// Rate of a multiple of 2.5 Gbit/s; `IBV_RATE_MAX` if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn mult_to_ibv_rate(multiple: c_int) -> c_int {
    find(|row| row.1 == multiple && multiple > 0, |row| row.0, 0)
}

/// Mbit/s of a rate; -1 if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_rate_to_mbps(rate: c_int) -> c_int {
    find(|row| row.0 == rate, |row| row.2, -1)
}

/// Rate of `mbps` Mbit/s; `IBV_RATE_MAX` if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn mbps_to_ibv_rate(mbps: c_int) -> c_int {
    find(|row| row.2 == mbps, |row| row.0, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_converted_and_back() {
        assert_eq!((ibv_rate_to_mult(3), mult_to_ibv_rate(4), ibv_rate_to_mbps(3)), (4, 3, 10_000));
        assert_eq!((ibv_rate_to_mult(0), mult_to_ibv_rate(0), mbps_to_ibv_rate(1)), (-1, 0, 0));
        for (rate, _, mbps) in RATES {
            assert_eq!((ibv_rate_to_mbps(rate), mbps_to_ibv_rate(mbps)), (mbps, rate));
        }
    }
}
