//! How the matrix lies on the processes: in blocks, on a grid of them (NAS-95-020).

use std::ops::Range;

/// The place of a process on a grid that has as many columns as rows, or twice as many.
///
/// A vector that is multiplied lies on the columns, the same in all processes of a column; a product lies on the rows. So the block of a
/// process needs nothing from others, rows are summed up along themselves, and each process swaps with the one across the diagonal.
#[derive(Clone, Debug)]
pub struct Grid {
    row: usize,
    column: usize,
    rows: usize,
    columns: usize,
    order: usize,
}

impl Grid {
    /// Of so many processes and rows of the matrix; none if the processes are not a power of two.
    pub fn new(rank: usize, size: usize, order: usize) -> Option<Grid> {
        if !size.is_power_of_two() {
            return None;
        }
        let rows = 1 << (size.ilog2() / 2);
        let columns = size / rows;
        Some(Grid { row: rank / columns, column: rank % columns, rows, columns, order })
    }

    /// Columns of the matrix that the block of this process has.
    pub fn columns(&self) -> Range<usize> {
        self.share(self.column)
    }

    /// Rows of the matrix that the block of this process has: as many as the columns of one process, or of two.
    pub fn rows(&self) -> Range<usize> {
        let wide = self.columns / self.rows;
        self.share(self.row * wide).start..self.share(self.row * wide + wide - 1).end
    }

    /// With whom this process sums up its row, one after the other: first those next to each other, then next but one, and so on.
    pub fn partners(&self) -> impl Iterator<Item = usize> {
        let stages = self.columns.ilog2();
        (0..stages).map(|stage| self.row * self.columns + (self.column ^ 1 << stage))
    }

    /// Who is across the diagonal: has the rows of the matrix that are the columns of this process, and wants some of its own rows.
    pub fn across(&self) -> usize {
        let wide = self.columns / self.rows;
        (self.column / wide) * self.columns + self.row * wide + self.column % wide
    }

    /// What the process across the diagonal wants, as places in the rows of this one.
    pub fn wanted(&self) -> Range<usize> {
        let wide = self.columns / self.rows;
        let (own, wanted) = (self.rows(), self.share(self.row * wide + self.column % wide));
        wanted.start - own.start..wanted.end - own.start
    }

    /// Columns of the matrix in a column of the grid.
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
    fn who_is_across_wants_what_it_has_as_columns() {
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
    fn partners_are_all_others_of_a_row_after_all_stages() {
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
    fn three_processes_make_no_grid() {
        assert!(Grid::new(0, 3, 1400).is_none());
    }
}
