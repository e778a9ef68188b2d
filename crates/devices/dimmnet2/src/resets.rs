//! A reset returns every block to its initial state. Lockstep cannot show this: twins that both forget to
//! reset a register agree.

use std::path::Path;

use hdl::fresh::blocks;

use crate::core_logic::CoreLogic;
use crate::host_interface::HostInterface;
use crate::host_interface::amt_address_table::AmtAddressTable;
use crate::host_interface::configuration_distribution::ConfigurationDistribution;
use crate::host_interface::lh_buffer::LhBuffer;
use crate::host_interface::llcm::Llcm;
use crate::host_interface::prefetch_window::PrefetchWindow;
use crate::host_interface::system_register::SystemRegisterPage;
use crate::host_interface::user_register::UserRegisterPage;
use crate::host_interface::write_window::WriteWindow;
use crate::prefetch_unit::PrefetchUnit;
use crate::prefetch_unit::packet_buffer::PacketBuffer;
use crate::prefetch_unit::pu_copy::PuCopy;
use crate::prefetch_unit::pu_ctl::PuCtl;
use crate::prefetch_unit::pu_list::PuList;
use crate::prefetch_unit::pu_read::PuRead;
use crate::prefetch_unit::pu_write::PuWrite;
use crate::receive_controller::ReceiveController;
use crate::receive_controller::head_write::HeadWrite;
use crate::receive_controller::packet_control::PacketControl;
use crate::receive_controller::packet_write::PacketWrite;
use crate::sodimm_interface::SodimmInterface;
use crate::sodimm_interface::sodimm::Sodimm;
use crate::sodimm_interface::sodimm_arbiter::SodimmArbiter;
use crate::status_write_unit::StatusWriteUnit;
use crate::swif::decapsulation::Decapsulation;
use crate::swif::encapsulation::Encapsulation;
use crate::window_controller::WindowController;
use crate::window_controller::botf::Botf;
use crate::window_controller::configuration_register::ConfigurationRegister;
use crate::window_controller::request_acceptor::RequestAcceptor;
use crate::window_controller::request_executor::RequestExecutor;
use crate::window_controller::request_fifo::RequestFifo;
use crate::window_controller::rvl::Rvl;
use crate::window_controller::rvs::Rvs;
use crate::window_controller::vl::Vl;
use crate::window_controller::vs::Vs;
use crate::write_unit::WriteUnit;
use crate::write_unit::list_read::ListRead;
use crate::write_unit::read_control::ReadControl;
use crate::write_unit::ring::Ring;
use crate::write_unit::stride::Stride;
use crate::write_unit::window_read::WindowRead;
use crate::write_unit::write_arbiter::WriteArbiter;
use crate::write_unit::write_control::WriteControl;

#[test]
fn reset_blocks_equal_new_ones() {
    let reset = hdl::reset! {
    CoreLogic;
    AmtAddressTable;
    ConfigurationDistribution;
    HostInterface;
    LhBuffer;
    Llcm;
    PrefetchWindow;
    SystemRegisterPage;
    UserRegisterPage;
    WriteWindow;
    PrefetchUnit;
    PacketBuffer;
    PuCopy;
    PuCtl;
    PuList;
    PuRead;
    PuWrite;
    HeadWrite;
    ReceiveController;
    PacketControl;
    PacketWrite;
    SodimmInterface;
    Sodimm;
    SodimmArbiter;
    StatusWriteUnit;
    Decapsulation;
    Encapsulation;
    Botf;
    ConfigurationRegister;
    RequestAcceptor;
    RequestExecutor;
    RequestFifo;
    Rvl;
    Rvs;
    Vl;
    Vs;
    WindowController;
    ListRead;
    WriteUnit;
    ReadControl;
    Ring;
    Stride;
    WindowRead;
    WriteArbiter;
    WriteControl;
    };
    assert_eq!(reset, blocks(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")));
}
