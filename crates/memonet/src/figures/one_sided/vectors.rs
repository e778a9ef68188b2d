//! Vectors of small elements: put by the network interface, put by messages, and packed for a send.

use std::fmt::{self, Write as _};

use cluster::host::LibraryCost;
use machine_api::{Figure, ONE_SIDED, Transfer, axis};
use schemars::JsonSchema;
use serde::Serialize;

use super::{curves, settings, time, title};
use crate::machines::{Built, Name};
use crate::nic::Kind;

/// Elements of a vector: more than 6 are too many for the adapter, and more than 255 for a command of DIMMnet-2.
const ELEMENTS: [usize; 10] = [2, 4, 6, 8, 16, 32, 64, 128, 256, 512];
/// Bytes of an element.
const BYTES: usize = 8;
/// Bytes from an element to the next one: a column of a matrix whose rows have a cache line.
const STRIDE: usize = 64;
/// Rows of the page; the other numbers are in the table of the figure.
const SHOWN: [usize; 5] = [2, 6, 16, 128, 512];

/// Times of one vector on one machine.
#[derive(JsonSchema, Serialize)]
pub struct Vector {
    /// Machine of the two hosts.
    machine: Name,
    /// Carrier of the messages.
    carrier: &'static str,
    /// Elements of 8 bytes, 64 bytes apart at the target.
    elements: usize,
    #[serde(flatten)]
    times: Times,
    /// The same with `--library-cost looks`.
    looks: Times,
}

/// Times of the three ways.
#[derive(Clone, Copy, JsonSchema, Serialize)]
struct Times {
    /// From a put to the end of its flush, by the network interface where it can; `null` if the machine's puts are
    /// messages.
    native_us: Option<f64>,
    /// The same, as a message that the library of the target takes apart.
    message_us: f64,
    /// From packing until the answer to a send, which the receiver unpacks.
    packed_us: f64,
}

/// Times over the carrier that the machine uses by default.
pub fn measure_on<M: Built>(nic: Kind) -> anyhow::Result<Vec<Vector>> {
    let counted = times_on::<M>(nic, LibraryCost::Counted)?;
    let looks = times_on::<M>(nic, LibraryCost::Looks)?;
    let rows = ELEMENTS.iter().zip(counted).zip(looks).map(|((&elements, times), looks)| Vector {
        machine: M::WHICH,
        carrier: M::CARRIERS[0].name,
        elements,
        times,
        looks,
    });
    Ok(rows.collect())
}

/// Times of all vectors with this cost of the library.
fn times_on<M: Built>(nic: Kind, cost: LibraryCost) -> anyhow::Result<Vec<Times>> {
    let vectors = ELEMENTS.map(|elements| Transfer::vector(elements, BYTES, STRIDE));
    let mut settings = settings::<M>(cost);
    let by_default = time::<M>(nic, &settings, &vectors)?;
    let variant = M::VARIANTS.iter().find(|variant| variant.name == ONE_SIDED);
    let (by_network, by_message) = match variant {
        Some(variant) => {
            variant.choose(&mut settings, "messages").expect("it is one of the two paths");
            (Some(by_default), time::<M>(nic, &settings, &vectors)?)
        }
        None => (None, by_default),
    };
    let times = by_message.iter().enumerate().map(|(place, [message, packed])| Times {
        native_us: by_network.as_ref().map(|times| times[place][0]),
        message_us: *message,
        packed_us: *packed,
    });
    Ok(times.collect())
}

impl Times {
    /// Times by name of the way.
    fn ways(&self) -> [(&'static str, Option<f64>); 3] {
        [("elements", self.native_us), ("message", Some(self.message_us)), ("packed", Some(self.packed_us))]
    }
}

/// A curve for each way on the machines whose network interface puts elements.
pub fn figure(vectors: &[Vector]) -> Figure {
    let natives = vectors.iter().filter(|vector| vector.times.native_us.is_some());
    let points = natives.flat_map(|vector| {
        let ways = vector.times.ways().into_iter().filter_map(|(way, us)| Some((way, us?)));
        ways.map(|(way, us)| (vector.machine, way, (vector.elements as f64, us)))
    });
    let title = "Vectors of 8-byte elements, 64 bytes apart";
    Figure::new("vector", title, ["elements", axis::TIME], curves(points)).logarithmic_both()
}

/// The part of the page about vectors.
pub fn page(vectors: &[Vector]) -> String {
    let mut page = String::from(
        "\n## Vectors\n\n\
         A vector (`MPI_Type_vector`) has small elements at equal distances, here 8 bytes every 64 bytes at the\n\
         target. It can be put as elements, by RVSS of DIMMnet-2 or by a write of the adapter for each of up\n\
         to 6, because more writes take longer than a message; as a message that the library of the target\n\
         takes apart; or packed, sent and unpacked. Times are from the begin until the origin knows that the\n\
         data is there. Packing costs a copy of the data in the cache. GigaE PM and Cenju-3 put by messages\n\
         alone. The columns `looks` are of `--library-cost looks`, the others and the figure of `counted`.\n\n\
         ![Time of a vector](mpi_one_sided_vector.svg)\n\n\
         | Machine, carrier | Elements | Put of elements, us | `looks` | Put by message, us | `looks` | Packed send, us | `looks` | Class |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    for vector in vectors.iter().filter(|vector| SHOWN.contains(&vector.elements)) {
        let Vector { machine, carrier, elements, times, looks } = vector;
        let _ = write!(page, "| {}, `{carrier}` | {elements}", title(*machine));
        for ((_, counted), (_, looks)) in times.ways().into_iter().zip(looks.ways()) {
            let text = |us: Option<f64>| us.map_or("-".to_owned(), |us| format!("{us:.2}"));
            let _ = write!(page, " | {} | {}", text(counted), text(looks));
        }
        page.push_str(" | ours |\n");
    }
    page.push_str("\nAll numbers of elements are in a [table](mpi_one_sided_vector.csv).\n");
    page
}

/// Prints a line for each vector.
pub fn print(f: &mut fmt::Formatter<'_>, vectors: &[Vector]) -> fmt::Result {
    write!(
        f,
        "\n\n{:22}{:>9}{:>13}{:>12}{:>12}",
        "machine, carrier", "elements", "elements us", "message us", "packed us"
    )?;
    for vector in vectors {
        let name = format!("{}, {}", vector.machine.folder(), vector.carrier);
        let native = vector.times.native_us.map_or("-".to_owned(), |us| format!("{us:.3}"));
        let Vector { elements, times: Times { message_us, packed_us, .. }, .. } = vector;
        write!(f, "\n{name:22}{elements:>9}{native:>13}{message_us:>12.3}{packed_us:>12.3}")?;
    }
    Ok(())
}
