//! Division of the grids of all levels among processes (NAS-95-020).

use crate::error::Error;

/// Axes x, y and z.
pub const AXES: [usize; 3] = [0, 1, 2];

/// Place of a process in a box of processes whose sides are powers of two.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Processes along each axis.
    shape: [usize; 3],
    place: [usize; 3],
    /// Log2 of the points along each axis of the finest level.
    levels: usize,
}

/// Part of a process in the grid of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Points of a process along each axis.
    pub points: [usize; 3],
    /// Processes from one that has points to the next: more than 1 if there are fewer points than processes.
    pub stride: [usize; 3],
    /// Whether the process has points, for each axis.
    pub along: [bool; 3],
}

impl Level {
    /// Whether the process has points.
    pub fn present(&self) -> bool {
        self.along == [true; 3]
    }
}

impl Grid {
    /// Grid of `size` processes whose finest level has 2^`levels` points along each axis.
    pub fn new(rank: usize, size: usize, levels: usize) -> Result<Grid, Error> {
        if !size.is_power_of_two() {
            return Err(Error::Ranks("MG", size));
        }
        // The last axis is divided first.
        let shape = AXES.map(|axis| 1 << ((size.ilog2() as usize + axis) / 3));
        if shape[2] > 1 << levels {
            return Err(Error::Most("MG", 1 << (3 * levels), size));
        }
        let place = [rank % shape[0], rank / shape[0] % shape[1], rank / (shape[0] * shape[1])];
        Ok(Grid { shape, place, levels })
    }

    /// Part of this process in the grid of 2^`level` points along each axis. Coarse points are at the odd
    /// places of the finer grid.
    pub fn level(&self, level: usize) -> Level {
        let all = 1_usize << level;
        let stride = self.shape.map(|processes| (processes / all).max(1));
        Level {
            points: self.shape.map(|processes| (all / processes).max(1)),
            stride,
            along: AXES.map(|axis| self.place[axis] % stride[axis] == stride[axis] - 1),
        }
    }

    /// First point of this process along each axis, on a level where all processes have points.
    pub fn first(&self, level: usize) -> [usize; 3] {
        let points = self.level(level).points;
        AXES.map(|axis| self.place[axis] * points[axis])
    }

    /// Points of the largest face of a process's grid, with the layer.
    pub fn largest_face(&self) -> usize {
        let mut sides = self.level(self.levels).points.map(|points| points + 2);
        sides.sort_unstable();
        sides[1] * sides[2]
    }

    /// Ranks `stride` before and after this process on an axis of the periodic grid.
    pub fn neighbours(&self, axis: usize, stride: usize) -> [usize; 2] {
        let processes = self.shape[axis];
        [processes - stride, stride].map(|step| {
            let mut place = self.place;
            place[axis] = (place[axis] + step) % processes;
            place[0] + self.shape[0] * (place[1] + self.shape[1] * place[2])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grids(size: usize, levels: usize) -> Vec<Grid> {
        (0..size).map(|rank| Grid::new(rank, size, levels).unwrap()).collect()
    }

    #[test]
    fn points_of_each_level_are_shared_out_once() {
        for size in [1, 2, 4, 8, 16, 64, 128] {
            let grids = grids(size, 5);
            for level in 1..=5 {
                let points = grids.iter().map(|grid| grid.level(level)).filter(Level::present);
                let all: usize = points.map(|level| level.points.iter().product::<usize>()).sum();
                assert_eq!(all, 1 << (3 * level), "level {level} of {size} processes");
            }
        }
    }

    #[test]
    fn neighbours_are_mutual_and_have_points_where_the_process_has() {
        let grids = grids(64, 5);
        for (rank, grid) in grids.iter().enumerate() {
            for level in 1..=5 {
                let own = grid.level(level);
                for axis in AXES {
                    let [before, after] = grid.neighbours(axis, own.stride[axis]);
                    assert_eq!(grids[before].neighbours(axis, own.stride[axis])[1], rank);
                    assert_eq!(grids[after].level(level).along, own.along);
                }
            }
        }
    }

    #[test]
    fn wrong_numbers_of_processes_are_refused() {
        assert_eq!(Grid::new(0, 6, 5).unwrap_err(), Error::Ranks("MG", 6));
        assert_eq!(Grid::new(0, 16, 1).unwrap_err(), Error::Most("MG", 8, 16));
    }
}
