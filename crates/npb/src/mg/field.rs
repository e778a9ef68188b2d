//! Numbers at the points of a process, with a layer of its neighbours' points around them.

/// Values of a process in the grid of a level, x fastest.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    points: [usize; 3],
    values: Vec<f64>,
}

impl Field {
    /// Zeros.
    pub fn new(points: [usize; 3]) -> Field {
        Field { points, values: vec![0.0; points.iter().map(|points| points + 2).product()] }
    }

    /// Points along each axis, without the layer.
    pub fn points(&self) -> [usize; 3] {
        self.points
    }

    /// Index of a point; 0 is the layer before the points of an axis.
    pub fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        x + (self.points[0] + 2) * (y + (self.points[1] + 2) * z)
    }

    /// Distance of the indices of neighbours on an axis.
    pub fn step(&self, axis: usize) -> usize {
        let step = [1, self.points[0] + 2, (self.points[0] + 2) * (self.points[1] + 2)];
        step[axis]
    }

    /// All values, with the layer.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// All values, to be changed.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Sum of the squares of all values without the layer.
    pub fn square(&self) -> f64 {
        let rows =
            self.rows().map(|row| self.values[row..][..self.points[0]].iter().map(|x| x * x).sum::<f64>());
        rows.sum()
    }

    /// Indices of the first points of all rows.
    pub fn rows(&self) -> impl Iterator<Item = usize> + use<> {
        let [_, rows, planes] = self.points;
        let [row, plane] = [self.step(1), self.step(2)];
        (1..=planes).flat_map(move |z| (1..=rows).map(move |y| 1 + row * y + plane * z))
    }

    /// Indices of all values of a plane across an axis, with the layer.
    pub fn plane(&self, axis: usize, place: usize) -> Vec<usize> {
        let [inner, outer] = [[1, 2], [0, 2], [0, 1]][axis];
        let base = place * self.step(axis);
        let line = |far: usize| {
            (0..self.points[inner] + 2)
                .map(move |near| base + near * self.step(inner) + far * self.step(outer))
        };
        (0..self.points[outer] + 2).flat_map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_and_rows_have_the_indices_of_their_points() {
        let field = Field::new([2, 3, 1]);
        assert_eq!(field.rows().collect::<Vec<_>>(), [1, 2, 3].map(|y| field.index([1, y, 1])));
        let plane: Vec<_> =
            (0..3).flat_map(|z| (0..4).map(move |x| [x, 2, z])).map(|at| field.index(at)).collect();
        assert_eq!(field.plane(1, 2), plane);
    }
}
