//! Distribution of the matrix in blocks on a grid of processes (NAS-95-020).

use std::ops::Range;

/// Position of a process on a grid with as many columns as rows, or twice as many.
///
/// A vector to be multiplied is distributed over the columns and replicated within each column; a product is
/// distributed over the rows. The product of a block therefore needs no remote data. Rows are then summed up
/// along the grid's rows, and each process exchanges data with its transpose partner.
#[derive(Clone, Debug)]
pub struct Grid {
    row: usize,
    column: usize,
    rows: usize,
    columns: usize,
    order: usize,
}

impl Grid {
    /// Grid of `size` processes for a matrix of `order` rows; `None` unless `size` is a power of two.
    pub fn new(rank: usize, size: usize, order: usize) -> Option<Grid> {
        if !size.is_power_of_two() {
            return None;
        }
        let rows = 1 << (size.ilog2() / 2);
        let columns = size / rows;
        Some(Grid { row: rank / columns, column: rank % columns, rows, columns, order })
    }

    /// Columns of the matrix in the block of this process.
    pub fn columns(&self) -> Range<usize> {
        self.share(self.column)
    }

    /// Rows of the matrix in the block of this process: the column range of one process, or of two.
    pub fn rows(&self) -> Range<usize> {
        let wide = self.columns / self.rows;
        self.share(self.row * wide).start..self.share(self.row * wide + wide - 1).end
    }

    /// Ranks with which this process sums up its row, in order: distances 1, 2, 4 and so on.
    pub fn partners(&self) -> impl Iterator<Item = usize> {
        let stages = self.columns.ilog2();
        (0..stages).map(|stage| self.row * self.columns + (self.column ^ 1 << stage))
    }

    /// Rank of the transpose partner, which holds the rows of the matrix that are the columns of this
    /// process.
    pub fn across(&self) -> usize {
        let wide = self.columns / self.rows;
        (self.column / wide) * self.columns + self.row * wide + self.column % wide
    }

    /// Part of this process's rows that its transpose partner needs, as indices into them.
    pub fn wanted(&self) -> Range<usize> {
        let wide = self.columns / self.rows;
        let (own, wanted) = (self.rows(), self.share(self.row * wide + self.column % wide));
        wanted.start - own.start..wanted.end - own.start
    }

    /// Columns of the matrix in one column of the grid.
    fn share(&self, column: usize) -> Range<usize> {
        column * self.order / self.columns..(column + 1) * self.order / self.columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grids(size: usize, order: usize) -> Vec<Grid> {
        (0..size).map(|rank| Grid::new(rank, size, order).unwrap()).collect()
    }

    #[test]
    fn blocks_cover_the_matrix_once() {
        for size in [1, 2, 4, 8, 16, 32] {
            for order in [7, 64, 1400] {
                let mut covered = vec![0; order * order];
                for grid in grids(size, order) {
                    for row in grid.rows() {
                        grid.columns().for_each(|column| covered[row * order + column] += 1);
                    }
                }
                assert!(covered.iter().all(|count| *count == 1), "{order} rows on {size}");
            }
        }
    }

    #[test]
    fn transpose_partner_needs_the_rows_of_its_columns() {
        for size in [1, 2, 4, 8, 16, 32] {
            let grids = grids(size, 1400);
            for (rank, grid) in grids.iter().enumerate() {
                let other = &grids[grid.across()];
                assert_eq!(other.across(), rank);
                let first = grid.rows().start;
                let wanted = grid.wanted();
                assert_eq!(first + wanted.start..first + wanted.end, other.columns());
            }
        }
    }

    #[test]
    fn partners_reach_the_whole_row() {
        let grids = grids(32, 1400);
        let mut heard: Vec<u32> = (0..32).map(|rank| 1 << rank).collect();
        for stage in 0..3 {
            let before = heard.clone();
            for (rank, grid) in grids.iter().enumerate() {
                heard[rank] |= before[grid.partners().nth(stage).unwrap()];
            }
        }
        assert!(heard.iter().enumerate().all(|(rank, heard)| *heard == 0xff << (rank / 8 * 8)));
        assert_eq!(grids[0].partners().count(), 3);
    }

    #[test]
    fn three_processes_are_refused() {
        assert!(Grid::new(0, 3, 1400).is_none());
    }
}
