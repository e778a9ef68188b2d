//! Verilates DIMMnet-2; a block is added by one line.

use verilate::block;

fn main() {
    verilate::device(
        "dimmnet2",
        &[
            block("window_controller", "window_controller/window_controller"),
            block("configuration_register", "window_controller/configuration_register"),
            block("request_fifo", "window_controller/request_fifo"),
            block("request_acceptor", "window_controller/request_acceptor"),
            block("request_executor", "window_controller/request_executor"),
            block("botf", "window_controller/botf"),
            block("receive_controller", "receive_controller/receive_controller"),
            block("packet_control", "receive_controller/packet_control"),
            block("packet_write", "receive_controller/packet_write"),
            block("write_unit", "write_unit/write_unit"),
            block("read_control", "write_unit/read_control"),
            block("write_control", "write_unit/write_control"),
            block("status_write_unit", "status_write_unit"),
        ],
    );
}
