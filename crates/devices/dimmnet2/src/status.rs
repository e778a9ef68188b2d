//! Receive status: 128 bits that describe a received packet to the host (thesis table 4.9).
//!
//! A status is laid out as the command that caused it, with the sender in place of the destination. The
//! Status Write Unit stores it in LLCM: StatusLower at the status address, StatusUpper 8 bytes above.

hdl::fields! {
    /// Lower word of a receive status, laid out as Command Lower (thesis table 4.9).
    pub struct StatusLower in packet_pkg {
        /// Primitive code of the packet.
        [4:0] otype: u8,
        /// Element size: 1 << dtype bytes.
        [7:5] dtype: u8,
        /// Number of elements.
        [15:8] iteration: u8,
        /// Sending process's WID, in place of DWID.
        [16] swid: bool,
        /// Sending node's compressed LID, in place of DCLID.
        [29:18] sclid: u16,
        /// eflag of the packet.
        [30] eflag: bool,
        /// Bytes received; for strided packets the stride, for list packets the list address.
        [63:32] size_list_stride: u32,
    }
}

hdl::fields! {
    /// Upper word of a receive status, laid out as Command Upper; the bits of DSTOff are undefined.
    pub struct StatusUpper in packet_pkg {
        /// First address of the stored data, in place of SRCOff.
        [31:0] first_address: u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Lower, Primitive, Upper};

    #[test]
    fn status_is_laid_out_as_the_command() {
        let command = Lower { dwid: true, dclid: 3, eflag: true, ..Lower::new(Primitive::Rvs, 0x800) };
        let status = StatusLower::from_bits(command.bits());
        assert_eq!((status.swid, status.sclid, status.size_list_stride), (true, 3, 0x800));
        assert_eq!(status.bits(), command.bits());
        assert_eq!(StatusUpper::from_bits(Upper { srcoff: 0x1000, dstoff: 7 }.bits()).first_address, 0x1000);
    }
}
