//! SWIF, the switch interface: InfiniBand packets around DIMMnet-2 packets (thesis section 4.2).

pub mod pins;
