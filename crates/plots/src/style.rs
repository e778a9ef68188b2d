//! Sizes, colours and fonts of all diagrams.

use plotters::style::RGBColor;

/// Colour of a curve.
pub type Colour = RGBColor;

/// Colours that are distinct in print and for colour-blind readers (Okabe and Ito).
pub const COLOURS: [Colour; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 86, 86),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];
/// Colour of symbols in the legend that belong to no curve.
pub const GREY: Colour = RGBColor(90, 90, 90);

/// Width of a panel.
pub const WIDTH: u32 = 700;
/// Height without the legend, and height of a line of it.
pub const HEIGHT: u32 = 480;
pub const LINE: u32 = 22;
/// Columns of a legend, the width of one, and its left end.
pub const COLUMNS: usize = 2;
pub const COLUMN: i32 = 310;
pub const LEFT: i32 = 70;
/// Length of the line that stands for a curve in the legend.
pub const SAMPLE: i32 = 24;

pub const FONT: &str = "sans-serif";
/// Sizes of titles and of other text.
pub const TITLE: i32 = 16;
pub const TEXT: i32 = 14;

/// Opacity of the bands of points, and of levels, which curves cross.
pub const STRONG: f64 = 0.45;
pub const WEAK: f64 = 0.12;
