//! A time line as SVG: a time axis, a row for each lane, a bar with name and duration for each stage.

use std::fmt::Write;

use cluster::Stage;

use super::TimeLine;
use crate::machines::Name;

/// Left edge and width of the time axis.
const LEFT: f64 = 80.0;
const WIDTH: f64 = 900.0;
/// Position of the axis line and of the first lane.
const AXIS: f64 = 66.0;
const TOP: f64 = 84.0;
const BAR: f64 = 22.0;
/// Height of a line of labels.
const LINE: f64 = 15.0;
/// Space between two lanes.
const GAP: f64 = 14.0;
/// Font sizes of labels and title.
const LETTERS: f64 = 11.0;
const TITLE: f64 = 16.0;
/// Width of a letter relative to the font size; an upper bound of the mean for common sans-serif fonts.
const LETTER: f64 = 0.62;
/// Minimum distance of two ticks in pixels.
const TICK: f64 = 70.0;

/// Colours of the lanes, the same as in the figures.
const COLOURS: [&str; 6] = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"];

/// A label below its bar.
struct Label {
    x: f64,
    /// Line below the bar; 0 is the first.
    line: usize,
    text: String,
}

/// Draws a time line as an SVG document.
pub fn draw(line: &TimeLine) -> String {
    let x = |ps: u64| LEFT + WIDTH * ps as f64 / line.total_ps.max(1) as f64;
    let machine = line.head.machine.map_or("", Name::title);
    let title = escape(&format!("{machine}, {}: {}", line.title(), duration(line.total_ps)));
    let (mut body, mut width) = (String::new(), LEFT + WIDTH);
    width = width.max(LEFT + wide(&title) * TITLE / LETTERS);
    let mut add = |text: String| writeln!(body, "{text}").expect("text has room");
    let mut y = TOP;
    for (n, lane) in line.lanes.iter().enumerate() {
        let stages: Vec<_> = line.stages().iter().filter(|stage| stage.lane == *lane).collect();
        if stages.is_empty() {
            continue;
        }
        let colour = COLOURS[n % COLOURS.len()];
        add(format!("<text x=\"10\" y=\"{}\">{}</text>", y + 15.0, escape(lane)));
        let labels = labels(&stages, &x);
        for (stage, Label { x: begin, line, text }) in stages.iter().zip(&labels) {
            let bar = (x((stage.begin + stage.duration).ps()) - begin).max(1.0);
            let below = y + BAR + LINE * (*line + 1) as f64;
            add(format!(
                "<rect x=\"{begin:.1}\" y=\"{y}\" width=\"{bar:.1}\" height=\"{BAR}\" fill=\"{colour}\" stroke=\"white\" stroke-width=\"0.5\"><title>{text}</title></rect>"
            ));
            // A line from the bar down to its label; labels to its right are in the lines above.
            add(format!(
                "<path d=\"M{begin:.1} {} V{}\" stroke=\"{colour}\" fill=\"none\"/>",
                y + BAR,
                below + 2.0
            ));
            add(format!("<text x=\"{:.1}\" y=\"{}\">{text}</text>", begin + 3.0, below - 1.0));
            width = width.max(begin + 3.0 + wide(text));
        }
        let lines = labels.iter().map(|label| label.line + 1).max().unwrap_or(0);
        y += BAR + LINE * lines as f64 + GAP;
    }
    let axis = axis(line.total_ps, &x, y);
    let (width, height) = (width + 20.0, y + 6.0);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         font-family=\"sans-serif\" font-size=\"{LETTERS}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"24\" font-size=\"{TITLE}\">{title}</text>\n{axis}{body}</svg>\n"
    )
}

/// Labels from left to right without overlaps: each is in the first line where it ends before the next label
/// begins. Placing them from right to left keeps the connecting lines clear of other labels.
fn labels(stages: &[&Stage], x: &impl Fn(u64) -> f64) -> Vec<Label> {
    // Begin of the leftmost label of each line.
    let mut lines: Vec<f64> = Vec::new();
    let mut labels: Vec<Label> = Vec::new();
    for stage in stages.iter().rev() {
        let (x, text) =
            (x(stage.begin.ps()), escape(&format!("{} {}", stage.name, duration(stage.duration.ps()))));
        let end = x + 3.0 + wide(&text) + 4.0;
        let free = lines.iter().position(|begin| end <= *begin);
        let line = free.unwrap_or_else(|| {
            lines.push(f64::MAX);
            lines.len() - 1
        });
        lines[line] = x;
        labels.push(Label { x, line, text });
    }
    labels.reverse();
    labels
}

/// Ticks at whole multiples of 1, 2 or 5 times a power of ten, grid lines down to `bottom`, and the unit.
fn axis(total_ps: u64, x: &impl Fn(u64) -> f64, bottom: f64) -> String {
    let steps = (0..).flat_map(|power| [1, 2, 5].map(|step| step * 10u64.pow(power)));
    let near = |step: &u64| x(*step) - x(0) >= TICK;
    let step = steps.take_while(|step| *step <= total_ps).find(near).unwrap_or(total_ps.max(1));
    let mut axis = format!("<text x=\"10\" y=\"{}\">us</text>\n", AXIS - 8.0);
    axis += &format!("<path d=\"M{LEFT} {AXIS} H{:.1}\" stroke=\"#444\" fill=\"none\"/>\n", x(total_ps));
    for ps in (0..=total_ps).step_by(step as usize) {
        let (x, us) = (x(ps), ps as f64 / 1e6);
        axis += &format!("<path d=\"M{x:.1} {AXIS} V{bottom}\" stroke=\"#e4e4e4\" fill=\"none\"/>\n");
        axis += &format!("<path d=\"M{x:.1} {AXIS} v-5\" stroke=\"#444\" fill=\"none\"/>\n");
        axis += &format!("<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{us}</text>\n", AXIS - 8.0);
    }
    axis
}

/// A duration in ns below 1 us, in us above.
fn duration(ps: u64) -> String {
    match ps {
        ..1_000_000 => format!("{} ns", ps as f64 / 1e3),
        _ => format!("{} us", ps as f64 / 1e6),
    }
}

/// Upper bound of a text's width.
fn wide(text: &str) -> f64 {
    text.chars().count() as f64 * LETTER * LETTERS
}

/// Escapes a text for XML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A rectangle in the drawing.
    #[derive(Debug)]
    struct Area {
        left: f64,
        right: f64,
        top: f64,
        bottom: f64,
    }

    impl Area {
        fn is_apart_from(&self, other: &Area) -> bool {
            self.right <= other.left
                || other.right <= self.left
                || self.bottom <= other.top
                || other.bottom <= self.top
        }
    }

    /// The value of an attribute in the opening tag of an element.
    fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
        let tag = element.split('>').next()?;
        tag.split_once(&format!(" {name}=\""))?.1.split('"').next()
    }

    fn number(element: &str, name: &str) -> f64 {
        attribute(element, name)
            .and_then(|text| text.parse().ok())
            .unwrap_or_else(|| panic!("{name}: {element}"))
    }

    /// The rectangle of a text, with widths as `LETTER` assumes and ascent and descent of common fonts.
    fn text(element: &str) -> Area {
        let size = attribute(element, "font-size").map_or(LETTERS, |size| size.parse().unwrap());
        let letters = element.split('>').nth(1).unwrap();
        let letters = ["lt", "gt", "amp", "quot"]
            .iter()
            .fold(letters.to_owned(), |text, name| text.replace(&format!("&{name};"), "x"));
        let width = wide(&letters) * size / LETTERS;
        let (x, y) = (number(element, "x"), number(element, "y"));
        let left = if attribute(element, "text-anchor") == Some("middle") { x - width / 2.0 } else { x };
        Area { left, right: left + width, top: y - 0.75 * size, bottom: y + 0.25 * size }
    }

    fn bar(element: &str) -> Area {
        let [left, top] = ["x", "y"].map(|name| number(element, name));
        Area { left, right: left + number(element, "width"), top, bottom: top + number(element, "height") }
    }

    /// Asserts that no text overlaps another text or a bar, and that all texts are inside the drawing.
    pub fn check(line: &TimeLine) {
        let svg = draw(line);
        let elements = |name: &str| {
            let begin = format!("<{name} ");
            svg.match_indices(&begin).map(|(at, _)| svg[at..].split('<').nth(1).unwrap()).collect::<Vec<_>>()
        };
        let paper = attribute(&svg, "viewBox").unwrap().split(' ').map(|size| size.parse::<f64>().unwrap());
        let [_, _, width, height] = paper.collect::<Vec<_>>()[..] else { panic!("{svg}") };
        let texts: Vec<_> = elements("text").into_iter().map(text).collect();
        let bars: Vec<_> =
            elements("rect").into_iter().filter(|rect| attribute(rect, "x").is_some()).map(bar).collect();
        assert_eq!(bars.len(), line.stages().len());
        // A label for each stage and each lane, at least two ticks, their unit and the title.
        assert!(texts.len() >= line.stages().len() + 4, "{}", texts.len());
        for (n, text) in texts.iter().enumerate() {
            for other in texts[n + 1..].iter().chain(&bars) {
                assert!(text.is_apart_from(other), "{}: {text:?} lies on {other:?}", line.title());
            }
            let inside = text.left >= 0.0 && text.right <= width && text.bottom <= height;
            assert!(inside, "{}: {text:?}", line.title());
        }
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escape("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
    }

    #[test]
    fn durations_are_short() {
        assert_eq!(duration(80_000), "80 ns");
        assert_eq!(duration(1_234_567), "1.234567 us");
    }
}
