//! The generated C header has the values of the register tables.

#[path = "../../../hdl/tests/support/header.rs"]
mod header;

use dimmnet2::command::{Lower, SODIMM_COPY};
use dimmnet2::primitive::Primitive;
use dimmnet2::registers::{AmtAddressTableInterface, ControllerStatus, SystemRegister, UserRegister};

#[test]
fn c_and_cpp_see_the_values_of_the_tables() {
    let offset = |register: UserRegister| u64::from(register.info().offset);
    let status = ControllerStatus { receive_condition: 0b10, status_area_empty: true, ..Default::default() };
    let lower =
        Lower { otype: Primitive::Vs.code(), size_list_stride: 0x200, dclid: 7, ..Default::default() };
    let entry = AmtAddressTableInterface { value: 2, wid: true, lid: 3 };
    let condition = format!("DIMMNET2_GET({}, DIMMNET2_CONTROLLER_STATUS_RECEIVE_CONDITION)", status.bits());
    header::says(
        "rtl/dimmnet2/generated/dimmnet2.h",
        &[
            ("DIMMNET2_USER_COMMAND0_LOWER_OFFSET", offset(UserRegister::Command0Lower)),
            ("DIMMNET2_USER_STATUS_NEXT_READ_ADDRESS_OFFSET", offset(UserRegister::StatusNextReadAddress)),
            ("DIMMNET2_USER_MODULE_STATE_RESET", UserRegister::ModuleState.info().reset),
            ("DIMMNET2_USER_STATUS_AREA_SIZE_MASK", 0x7f),
            (
                "DIMMNET2_SYSTEM_AMT_ADDRESS_TABLE_INTERFACE_OFFSET",
                SystemRegister::AmtAddressTableInterface.info().offset.into(),
            ),
            ("DIMMNET2_PRIMITIVE_RVSS", Primitive::Rvss.code().into()),
            ("DIMMNET2_RECEIVE_CONDITION_RECEIVE_HEADER_MISMATCH", 0b10),
            ("DIMMNET2_SODIMM_COPY", SODIMM_COPY.into()),
            (&condition, 0b10),
            (
                "DIMMNET2_PUT(DIMMNET2_PRIMITIVE_VS, DIMMNET2_LOWER_OTYPE) | DIMMNET2_PUT(0x200, DIMMNET2_LOWER_SIZE_LIST_STRIDE) \
                 | DIMMNET2_PUT(7, DIMMNET2_LOWER_DCLID)",
                lower.bits(),
            ),
            (
                "DIMMNET2_PUT(2, DIMMNET2_AMT_ADDRESS_TABLE_INTERFACE_VALUE) | DIMMNET2_AMT_ADDRESS_TABLE_INTERFACE_WID_MASK \
                 | DIMMNET2_PUT(3, DIMMNET2_AMT_ADDRESS_TABLE_INTERFACE_LID)",
                entry.bits(),
            ),
        ],
    );
}
