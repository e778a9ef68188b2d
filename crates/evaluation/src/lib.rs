#![doc = include_str!("../README.md")]

pub mod bend;
mod computers;
mod conditions;
mod figure;
pub mod fit;
mod nics;
mod published;
mod reproduction;
mod shape;
mod synthesis;

pub use computers::{
    COMPUTERS, ComputerError, PENTIUM_2_400, PENTIUM_3_800, PENTIUM_4_2600, VR4400_75, computer_of, line_of,
};
pub use conditions::{Choice, Chosen, Conditions, Practice, Request};
pub use figure::{Figure, Point, Series, axis};
pub use nics::{Models, Nics, check, two};
pub use published::{Band, Class, NARROW, NEEDS_CAUSE, Published, Row, Verdict, heads, row, table};
pub use reproduction::{
    Errors, Evaluated, Evaluation, Findings, Fitted, FittedKind, LEAST_PREDICTED, Past, Publication, Table,
    Verdicts, counted, fitted,
};
pub use shape::{PublishedShape, Shape, Sketch};
pub use synthesis::{Module, Synthesis, Synthesized};
