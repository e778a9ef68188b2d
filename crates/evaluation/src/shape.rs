//! Published shapes of curves, each with a change of the curves that it has to refuse.

use schemars::JsonSchema;
use serde::Serialize;

use crate::Series;

/// Curves as lists of points.
pub type Sketch = &'static [&'static [(f64, f64)]];

/// A shape of curves that a publication draws or states.
///
/// [`published_shapes!`](crate::published_shapes) declares shapes together with the test that each of them accepts its
/// sketch and refuses the bent one.
#[derive(Clone, Copy, Debug)]
pub struct PublishedShape {
    id: &'static str,
    says: &'static str,
    sketch: Sketch,
    bend: fn(&mut [Series]),
    holds: fn(&[Series]) -> bool,
}

impl PublishedShape {
    /// A shape with the name `id` or its figure. `sketch` has the shape, `bend` takes it from any curves.
    pub const fn new(
        id: &'static str,
        says: &'static str,
        sketch: Sketch,
        bend: fn(&mut [Series]),
        holds: fn(&[Series]) -> bool,
    ) -> Self {
        PublishedShape { id, says, sketch, bend, holds }
    }

    /// Judges curves, in the order of the sketch. The shape holds only if it refuses the same curves bent.
    pub fn judge(&self, curves: &[&Series]) -> Shape {
        let curves: Vec<Series> = curves.iter().map(|&series| series.clone()).collect();
        let holds = (self.holds)(&curves) && !(self.holds)(&self.bent(&curves));
        Shape { id: self.id, holds, says: self.says }
    }

    /// Checks that the shape accepts its sketch, and refuses the bent one.
    pub fn check(&self) -> Result<(), String> {
        let series = |points: &&[(f64, f64)]| Series { name: String::new(), points: points.to_vec() };
        let curves: Vec<Series> = self.sketch.iter().map(series).collect();
        if !(self.holds)(&curves) {
            return Err(format!("{}, {}: its own sketch does not have the shape", self.id, self.says));
        }
        if (self.holds)(&self.bent(&curves)) {
            return Err(format!("{}, {}: the bent curve is accepted", self.id, self.says));
        }
        Ok(())
    }

    fn bent(&self, curves: &[Series]) -> Vec<Series> {
        let mut curves = curves.to_vec();
        (self.bend)(&mut curves);
        curves
    }
}

/// Declares the published shapes of a paper, and the test that each of them can fail.
///
/// ```
/// evaluation::published_shapes! {
///     RISES = "figure 1", "throughput rises with the size",
///         sketch: &[&[(4.0, 1.0), (8.0, 2.0)]],
///         bend: |curves| evaluation::bend::flatten(&mut curves[0]),
///         holds: |curves| curves[0].points.windows(2).all(|pair| pair[0].1 < pair[1].1);
/// }
/// # let curve = evaluation::Series { name: String::new(), points: vec![(4.0, 1.0), (8.0, 1.0)] };
/// assert!(!RISES.judge(&[&curve]).holds);
/// ```
#[macro_export]
macro_rules! published_shapes {
    ($($name:ident = $id:literal, $says:literal, sketch: $sketch:expr, bend: $bend:expr, holds: $holds:expr;)+) => {
        $(pub const $name: $crate::PublishedShape = $crate::PublishedShape::new($id, $says, $sketch, $bend, $holds);)+

        #[cfg(test)]
        mod shapes_can_fail {
            #[test]
            fn each_shape_refuses_the_bent_sketch() {
                let wrong: Vec<String> = [$(super::$name),+].iter().filter_map(|shape| shape.check().err()).collect();
                assert!(wrong.is_empty(), "{wrong:#?}");
            }
        }
    };
}

/// Check of a curve's shape.
#[derive(Clone, Debug, JsonSchema, Serialize)]
#[non_exhaustive]
pub struct Shape {
    /// Name of the shape, or its figure.
    pub id: &'static str,
    /// Whether our curve has the shape.
    pub holds: bool,
    /// Shape of the published curve.
    pub says: &'static str,
}

impl Shape {
    /// Result as printed.
    pub fn verdict(&self) -> &'static str {
        if self.holds { "holds" } else { "DOES NOT HOLD" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bend::flatten;

    const SKETCH: Sketch = &[&[(1.0, 1.0), (2.0, 2.0)]];

    fn rises(curves: &[Series]) -> bool {
        curves[0].points[0].1 < curves[0].points[1].1
    }

    fn flat(curves: &mut [Series]) {
        flatten(&mut curves[0]);
    }

    fn shape(sketch: Sketch, bend: fn(&mut [Series]), holds: fn(&[Series]) -> bool) -> PublishedShape {
        PublishedShape::new("figure 1", "it rises", sketch, bend, holds)
    }

    #[test]
    fn shapes_that_cannot_fail_are_found() {
        assert_eq!(shape(SKETCH, flat, rises).check(), Ok(()));
        let message = |shape: PublishedShape| shape.check().unwrap_err();
        assert!(message(shape(SKETCH, flat, |_| true)).contains("the bent curve is accepted"));
        assert!(message(shape(SKETCH, |_| (), rises)).contains("the bent curve is accepted"));
        assert!(message(shape(&[&[(1.0, 2.0), (2.0, 1.0)]], flat, rises)).contains("its own sketch"));
    }

    #[test]
    fn measured_curves_are_bent_too() {
        let curve = |points: &[(f64, f64)]| Series { name: String::new(), points: points.to_vec() };
        let (up, level) = (curve(&[(1.0, 1.0), (2.0, 3.0)]), curve(&[(1.0, 1.0), (2.0, 1.0)]));
        assert!(shape(SKETCH, flat, rises).judge(&[&up]).holds);
        assert!(!shape(SKETCH, flat, rises).judge(&[&level]).holds);
        assert!(!shape(SKETCH, flat, |_| true).judge(&[&up]).holds, "this shape accepts everything");
    }
}
