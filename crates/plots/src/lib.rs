//! Diagrams as SVG in one style.
//!
//! A [`Plot`] has one or more [`Panel`]s side by side. The legend of a panel is below its diagram, so it never covers
//! data.

mod panel;
mod scale;
mod style;

use plotters::prelude::*;

pub use panel::{Curve, Mark, Panel};
pub use scale::Scale;
pub use style::{COLOURS, Colour, GREY};

use style::{FONT, HEIGHT, LINE, TITLE, WIDTH};

/// A drawing.
#[derive(Clone, Debug)]
pub struct Plot {
    /// Title above all panels; a plot of one panel may do without.
    pub title: Option<String>,
    /// Diagrams, from left to right.
    pub panels: Vec<Panel>,
}

impl Plot {
    /// The drawing as an SVG document.
    pub fn svg(&self) -> Result<String, String> {
        let lines = self.panels.iter().map(Panel::legend_lines).max().unwrap_or_default();
        let size = (WIDTH * self.panels.len() as u32, HEIGHT + LINE * lines as u32 + 12);
        let mut svg = String::new();
        {
            let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
            let draw = || {
                area.fill(&WHITE)?;
                let inner = match &self.title {
                    Some(title) => area.titled(title, (FONT, TITLE))?,
                    None => area.clone(),
                };
                for (part, panel) in inner.split_evenly((1, self.panels.len())).iter().zip(&self.panels) {
                    panel.draw(part, lines)?;
                }
                area.present()
            };
            draw().map_err(|error| format!("drawing: {error}"))?;
        }
        Ok(svg)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel() -> Panel {
        let curve = Curve {
            name: Some("ours".into()),
            colour: COLOURS[0],
            opacity: 1.0,
            dashed: false,
            dots: true,
            points: vec![(8.0, 2.0), (1024.0, 40.0)],
        };
        Panel {
            title: "Latency".into(),
            axes: ["message [bytes]".into(), "latency [us]".into()],
            scales: [Scale::Binary, Scale::Linear],
            curves: vec![curve],
            marks: Vec::new(),
        }
    }

    #[test]
    fn svg_contains_title_axes_ticks_and_legend() {
        let svg = Plot { title: Some("A test".into()), panels: vec![panel(), panel()] }.svg().unwrap();
        for text in ["A test", "Latency", "message [bytes]", "latency [us]", "ours", "1 K", "40"] {
            assert!(svg.contains(text), "{text}");
        }
    }

    #[test]
    fn marks_have_one_entry_of_the_legend_for_each_name() {
        let mut marked = panel();
        let level = |y| Mark::Level { y, colour: COLOURS[1] };
        marked.marks = vec![level(3.0), level(4.0), Mark::Value { x: 16.0, y: 5.0, colour: COLOURS[0] }];
        let svg = Plot { title: None, panels: vec![marked] }.svg().unwrap();
        assert_eq!(svg.matches("published level").count(), 1);
        assert_eq!(svg.matches("published value").count(), 1);
    }

    #[test]
    fn marks_are_within_the_axes() {
        let mut marked = panel();
        marked.marks = vec![Mark::Level { y: 90.0, colour: COLOURS[1] }];
        let svg = Plot { title: None, panels: vec![marked] }.svg().unwrap();
        assert!(svg.contains(">\n80\n<") || svg.contains(">80<"), "{svg}");
    }
}
