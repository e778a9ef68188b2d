//! Verilates DIMMnet-2; a block is added by one line.

use verilate::block;

fn main() {
    verilate::device(
        "dimmnet2",
        &[
            block("dimmnet2", "dimmnet2"),
            block("host_interface", "host_interface/host_interface"),
            block("write_window", "host_interface/write_window"),
            block("prefetch_window", "host_interface/prefetch_window"),
            block("llcm", "host_interface/llcm"),
            block("lh_buffer", "host_interface/lh_buffer"),
            block("user_register", "host_interface/user_register"),
            block("system_register", "host_interface/system_register"),
            block("configuration_distribution", "host_interface/configuration_distribution"),
            block("window_controller", "window_controller/window_controller"),
            block("configuration_register", "window_controller/configuration_register"),
            block("request_fifo", "window_controller/request_fifo"),
            block("request_acceptor", "window_controller/request_acceptor"),
            block("request_executor", "window_controller/request_executor"),
            block("botf", "window_controller/botf"),
            block("vs", "window_controller/vs"),
            block("vl", "window_controller/vl"),
            block("sodimm_interface", "sodimm_interface/sodimm_interface"),
            block("sodimm", "sodimm_interface/sodimm"),
            block("sodimm_arbiter", "sodimm_interface/sodimm_arbiter"),
            block("swif", "swif/swif"),
            block("encapsulation", "swif/encapsulation"),
            block("decapsulation", "swif/decapsulation"),
            block("receive_controller", "receive_controller/receive_controller"),
            block("packet_control", "receive_controller/packet_control"),
            block("packet_write", "receive_controller/packet_write"),
            block("write_unit", "write_unit/write_unit"),
            block("read_control", "write_unit/read_control"),
            block("write_control", "write_unit/write_control"),
            block("request_separator", "request_separator"),
            block("write_arbiter", "write_unit/write_arbiter"),
            block("window_read", "write_unit/window_read"),
            block("stride", "write_unit/stride"),
            block("prefetch_unit", "prefetch_unit/prefetch_unit"),
            block("pu_ctl", "prefetch_unit/pu_ctl"),
            block("pu_read", "prefetch_unit/pu_read"),
            block("pu_write", "prefetch_unit/pu_write"),
            block("status_write_unit", "status_write_unit"),
        ],
    );
}
