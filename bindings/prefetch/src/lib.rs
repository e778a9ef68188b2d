//! Prefetches values into the processor's caches. This affects time only, and has no effect on processors
//! other than x86-64.

/// Cache line size in bytes.
#[cfg(target_arch = "x86_64")]
const LINE: usize = 64;

/// Prefetches all bytes of a value, but not what it points to.
#[inline]
pub fn prefetch<T: ?Sized>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        let first = std::ptr::from_ref(value).cast::<i8>();
        for offset in (0..size_of_val(value)).step_by(LINE) {
            line(first.wrapping_add(offset));
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// Prefetches the line with this byte.
#[cfg(target_arch = "x86_64")]
#[inline]
#[expect(unsafe_code)]
fn line(byte: *const i8) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: every x86-64 processor has the instruction. It has no visible effect, and unmapped addresses
    // are ignored.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(byte) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_any_size_can_be_prefetched() {
        prefetch(&());
        prefetch(&[7_u8; 1_000]);
        prefetch::<[u64]>(&[]);
        prefetch::<dyn std::fmt::Debug>(&"something");
    }
}
