//! Bar charts of the results: a panel for each quantity, a group for each loss.

use std::fmt::Write;

use super::{Measurements, Row};

const WIDTH: f64 = 760.0;
/// Left end of the bars, length of the longest one, and height of a line.
const LEFT: f64 = 150.0;
const LONGEST: f64 = 480.0;
const LINE: f64 = 16.0;

/// A quantity of a row; `None` if it was not measured.
type Number = fn(&Row) -> Option<f64>;

const PANELS: [(&str, Number); 4] = [
    ("half round trip of 4 bytes, us (shorter is better)", |row| row.half_round_trip_us),
    ("round trip of 4 bytes, 99 of 100 within, us (shorter is better)", |row| row.round_trip_p99_us),
    ("messages of 64 bytes one way, in a second (longer is better)", |row| row.burst_64_per_second),
    ("messages of 1,024 bytes one way, MB/s (longer is better)", |row| row.burst_1024_megabytes_per_second),
];

/// Draws the results.
pub fn svg(measured: &Measurements) -> String {
    let mut body = String::new();
    let mut y = 30.0;
    for (title, of) in PANELS {
        let _ = writeln!(body, "<text x=\"10\" y=\"{y}\" font-weight=\"bold\">{title}</text>");
        y += LINE * 1.4;
        let most = measured.rows.iter().filter_map(of).fold(f64::MIN_POSITIVE, f64::max);
        let mut group = None;
        for row in &measured.rows {
            let Some(value) = of(row) else { continue };
            if group.replace(row.lose_percent) != Some(row.lose_percent) {
                let _ = writeln!(
                    body,
                    "<text x=\"10\" y=\"{y}\" fill=\"#555\">{} % lost</text>",
                    row.lose_percent
                );
            }
            // Colours of the figures.
            let colour = if row.name.starts_with("suci") { "#0072b2" } else { "#56b4e9" };
            let (width, end) = (LONGEST * value / most, LEFT + LONGEST * value / most + 6.0);
            let _ = writeln!(
                body,
                "<text x=\"{}\" y=\"{y}\" text-anchor=\"end\">{}</text>\n<rect class=\"bar\" x=\"{LEFT}\" y=\"{}\" width=\"{width:.1}\" \
                 height=\"11\" fill=\"{colour}\"/>\n<text x=\"{end:.1}\" y=\"{y}\">{}</text>",
                LEFT - 6.0,
                row.name,
                y - 10.0,
                if value < 1e4 { format!("{value:.1}") } else { format!("{value:.0}") },
            );
            y += LINE;
        }
        y += LINE;
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{y}\" viewBox=\"0 0 {WIDTH} {y}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{body}</svg>\n"
    )
}
