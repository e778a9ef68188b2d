//! Exchange of the outermost points with the neighbours of a level.

use super::field::Field;
use super::grid::{AXES, Grid};
use crate::error::Error;
use crate::traffic::World;

/// Tags of messages to the neighbours after and before.
const UP: u32 = 0;
const DOWN: u32 = 1;

/// Fills the layer around the points of a level. Values of edges and corners travel by way of the axes. Buffers
/// hold the largest face of any level, as those of NPB 2 do.
pub async fn fill(world: &World<'_>, grid: &Grid, level: usize, field: &mut Field) -> Result<(), Error> {
    let stride = grid.level(level).stride;
    let room = grid.largest_face();
    for axis in AXES {
        let [before, after] = grid.neighbours(axis, stride[axis]);
        let last = field.points()[axis];
        let places = [(last, 0, (after, before), UP), (1, last + 1, (before, after), DOWN)];
        for (own, layer, ends, tag) in places {
            let (own, layer) = (field.plane(axis, own), field.plane(axis, layer));
            let mut values: Vec<_> = own.iter().map(|index| field.values()[*index]).collect();
            if ends.0 != world.rank() {
                values = world.exchange(ends, tag, &values, room).await?;
            }
            let all = field.values_mut();
            layer.iter().zip(values).for_each(|(index, value)| all[*index] = value);
        }
    }
    Ok(())
}
