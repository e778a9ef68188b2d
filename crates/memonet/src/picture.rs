//! SVG as pixels.

use anyhow::Context;
use resvg::{tiny_skia, usvg};

/// Pixels of a PNG for one of the SVG.
const SCALE: f32 = 2.0;

/// An SVG with its texts laid out, in a font of our own, so that it is the same on every machine.
pub fn tree(svg: &str) -> anyhow::Result<usvg::Tree> {
    let mut options = usvg::Options::default();
    let fonts = options.fontdb_mut();
    fonts.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
    let family = fonts.faces().next().and_then(|face| face.families.first()).map(|(name, _)| name.clone());
    fonts.set_sans_serif_family(family.context("the font has no name")?);
    Ok(usvg::Tree::from_str(svg, &options)?)
}

/// An SVG as PNG.
pub fn png(svg: &str) -> anyhow::Result<Vec<u8>> {
    let tree = tree(svg)?;
    let [width, height] = [tree.size().width(), tree.size().height()].map(|size| (SCALE * size) as u32);
    let mut pixels = tiny_skia::Pixmap::new(width, height).context("no room for the pixels")?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    Ok(pixels.encode_png()?)
}
