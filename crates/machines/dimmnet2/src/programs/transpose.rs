//! The transpose of a matrix, made on the board by VLS and VS (thesis section 4.6.8).
//!
//! The host stores a matrix in SO-DIMM, row by row. For each column it issues a VLS that reads the column and a VS that
//! stores it as a row of the transpose: the elements never leave the board. Then the host reads the transpose back.

use dimmnet2::address::{Area, WINDOW_BYTES};

use super::copy::Target;
use super::vl::{Elements, Source};
use super::{Board, Process};
use crate::Host;
use cluster::Duration;

/// Rows and columns.
pub const SIDE: u32 = 64;

/// Code of an element's size: 4 bytes.
const DTYPE: u8 = 2;

/// Bytes of an element.
const ELEMENT: u32 = 1 << DTYPE;

/// Bytes of a row.
const ROW: u32 = SIDE * ELEMENT;

/// Offsets of the matrix and of its transpose in the process's region.
const MATRIX: u32 = 0x1_0000;
const TRANSPOSE: u32 = 0x2_0000;

/// A matrix of 32-bit elements, row after row.
pub type Matrix = Vec<u32>;

/// The result and its times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transposed {
    /// The transpose as the host reads it back.
    pub matrix: Matrix,
    /// From the first store of the host to the last byte in SO-DIMM.
    pub store: Duration,
    /// From the first command to the last byte of the transpose.
    pub transpose: Duration,
    /// From the first command to the last byte read.
    pub load: Duration,
}

/// Transposes a matrix of [`SIDE`] rows and columns in the SO-DIMM of one board.
pub async fn transpose(host: Host, process: Process, matrix: Matrix) -> Transposed {
    assert_eq!(matrix.len() as u32, SIDE * SIDE, "the matrix has {SIDE} rows of {SIDE} elements");
    let mut board = Board::initialise(host.clone(), process).await;

    let begin = host.now();
    store(&mut board, &matrix).await;
    let stored = host.now();
    for column in 0..SIDE {
        let offset = MATRIX + column * ELEMENT;
        let elements = Elements { dtype: DTYPE, count: SIDE as u8 };
        let from = Source::Strided { offset, stride: ROW, elements };
        board.copy(from, Target::Contiguous { offset: TRANSPOSE + column * ROW, size: ROW }).await;
    }
    let transposed = host.now();
    let matrix = load(&board).await;
    Transposed {
        matrix,
        store: stored - begin,
        transpose: transposed - stored,
        load: host.now() - transposed,
    }
}

/// Stores the matrix by VS, from all Write Windows in rotation.
async fn store(board: &mut Board, matrix: &[u32]) {
    let bytes: Vec<u8> = matrix.iter().copied().flat_map(u32::to_le_bytes).collect();
    for (n, part) in (0u32..).zip(bytes.chunks(WINDOW_BYTES as usize)) {
        let window = (n % 4) as u8;
        board.wait_window(window).await;
        board.host().store_wc(Area::WriteWindow.window(board.process().wid, window), part).await;
        board.host().sfence().await;
        board.vs(window, 0, MATRIX + n * WINDOW_BYTES, part.len() as u32).await;
    }
    for window in 0..4 {
        board.wait_store(window).await;
    }
}

/// Reads the transpose by VL.
async fn load(board: &Board) -> Matrix {
    let mut bytes = Vec::new();
    for offset in (0..SIDE * ROW).step_by(WINDOW_BYTES as usize) {
        board.vl(0, Source::Contiguous { offset: TRANSPOSE + offset, size: WINDOW_BYTES }).await;
        bytes.extend(board.read_prefetch_window(0, WINDOW_BYTES as usize).await);
    }
    let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("a chunk has 4 bytes"));
    bytes.chunks_exact(4).map(word).collect()
}
