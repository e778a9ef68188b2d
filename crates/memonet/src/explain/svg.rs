//! A time line as SVG: a row for each lane, a box for each stage.

use std::fmt::Write;

use super::TimeLine;
use crate::output::us;

const LEFT: u64 = 80;
const WIDTH: u64 = 900;
const TOP: u64 = 50;
const ROW: u64 = 64;
const BOX: u64 = 26;

/// As in the figures, one for each lane.
const COLOURS: [&str; 6] = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"];

/// The drawing.
pub fn draw(line: &TimeLine) -> String {
    let (width, height) = (LEFT + WIDTH + 20, TOP + ROW * line.lanes.len() as u64 + 30);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"24\" font-size=\"16\">{}: {} us</text>\n",
        line.title(),
        us(line.total_ps)
    );
    let mut add = |text: String| writeln!(svg, "{text}").expect("text has room");
    for (row, (lane, colour)) in (0u64..).zip(line.lanes.iter().zip(COLOURS.iter().cycle())) {
        let y = TOP + row * ROW;
        add(format!("<text x=\"10\" y=\"{}\">{lane}</text>", y + 18));
        for (n, stage) in line.stages().iter().filter(|stage| stage.lane == *lane).enumerate() {
            let x = |ps: u64| LEFT as f64 + WIDTH as f64 * ps as f64 / line.total_ps.max(1) as f64;
            let (begin, duration) = (stage.begin.ps(), stage.duration.ps());
            let wide = (x(begin + duration) - x(begin)).max(1.0);
            let label = y + BOX + if n % 2 == 0 { 12 } else { 26 };
            add(format!(
                "<rect x=\"{:.1}\" y=\"{y}\" width=\"{wide:.1}\" height=\"{BOX}\" fill=\"{colour}\"><title>{} {} us</title></rect>",
                x(begin),
                stage.name,
                us(duration)
            ));
            add(format!("<text x=\"{:.1}\" y=\"{label}\" font-size=\"10\">{}</text>", x(begin), stage.name));
        }
    }
    svg + "</svg>\n"
}
