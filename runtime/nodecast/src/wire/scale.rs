//! A picture at a smaller size, each pixel the mean of those that it stands for.

/// Parts of a pixel along one side: a pixel of the small picture begins and ends between two of the large one.
const PARTS: u64 = 256;

/// One side: which pixels of the large picture each of the small one covers, and the parts of each.
struct Side {
    from: u64,
    to: u64,
}

impl Side {
    /// The pixel at `index` of `small` pixels that stand for `large` ones.
    fn new(index: u64, small: u64, large: u64) -> Self {
        Self { from: index * large * PARTS / small, to: (index + 1) * large * PARTS / small }
    }

    fn first(&self) -> usize {
        usize::try_from(self.from / PARTS).unwrap_or(usize::MAX)
    }

    fn count(&self) -> usize {
        usize::try_from(self.to.div_ceil(PARTS) - self.from / PARTS).unwrap_or(usize::MAX)
    }

    /// How much of the large pixel so many after the first it covers.
    fn parts(&self, after: usize) -> u64 {
        let at = self.from / PARTS + after as u64;
        self.to.min((at + 1) * PARTS) - self.from.max(at * PARTS)
    }
}

/// Shrinks pixels of so many channels, row by row, from `large` to `small` (width, height); neither side may grow.
pub(crate) fn shrink(pixels: &[u8], channels: usize, large: (u32, u32), small: (u32, u32)) -> Vec<u8> {
    let columns: Vec<_> = (0..small.0).map(|x| Side::new(x.into(), small.0.into(), large.0.into())).collect();
    let mut out = Vec::with_capacity(small.0 as usize * small.1 as usize * channels);
    for y in 0..small.1 {
        let rows = Side::new(y.into(), small.1.into(), large.1.into());
        let mut sums = vec![[0_u64; 4]; columns.len()];
        let covered = pixels.chunks_exact(large.0 as usize * channels).skip(rows.first()).take(rows.count());
        for (after, row) in covered.enumerate() {
            let high = rows.parts(after);
            for (sum, column) in sums.iter_mut().zip(&columns) {
                let pixels = row.chunks_exact(channels).skip(column.first()).take(column.count());
                for (after, pixel) in pixels.enumerate() {
                    add(sum, pixel, high * column.parts(after));
                }
            }
        }
        for (sum, column) in sums.iter().zip(&columns) {
            put(&mut out, *sum, channels, (rows.to - rows.from) * (column.to - column.from));
        }
    }
    out
}

/// Adds a pixel; what cannot be seen gives no colour.
fn add(sum: &mut [u64; 4], pixel: &[u8], weight: u64) {
    let alpha = if let [_, _, _, alpha] = pixel { u64::from(*alpha) } else { 1 };
    for (at, (sum, part)) in sum.iter_mut().zip(pixel).enumerate() {
        *sum += u64::from(*part) * weight * if at < 3 { alpha } else { 1 };
    }
}

fn put(out: &mut Vec<u8>, sum: [u64; 4], channels: usize, weight: u64) {
    let of_colour = if let (4, [_, _, _, alpha]) = (channels, sum) { alpha } else { weight };
    for (at, part) in sum.into_iter().take(channels).enumerate() {
        let weight = if at < 3 { of_colour } else { weight };
        let mean = (part + weight / 2).checked_div(weight).unwrap_or(0);
        // A mean of bytes is one.
        out.push(u8::try_from(mean).unwrap_or(u8::MAX));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pixel_is_the_mean_of_those_it_stands_for() {
        assert_eq!(shrink(&[0, 100, 50, 250], 1, (2, 2), (1, 1)), [100]);
        assert_eq!(shrink(&[0, 10, 20, 30], 1, (4, 1), (2, 1)), [5, 25]);
        // One and a half pixels each: (0 + 10 / 2) / 1.5, (10 / 2 + 20) / 1.5.
        assert_eq!(shrink(&[0, 10, 20], 1, (3, 1), (2, 1)), [3, 17]);
        assert_eq!(shrink(&[1, 2, 3, 3, 4, 5], 3, (1, 2), (1, 1)), [2, 3, 4]);
        assert_eq!(shrink(&[7, 8, 9], 1, (3, 1), (3, 1)), [7, 8, 9]);
    }

    #[test]
    fn what_cannot_be_seen_gives_no_colour() {
        let (red, unseen_green) = ([255, 0, 0, 255], [0, 255, 0, 0]);
        assert_eq!(shrink(&[red, unseen_green].concat(), 4, (2, 1), (1, 1)), [255, 0, 0, 128]);
        assert_eq!(shrink(&[unseen_green, unseen_green].concat(), 4, (2, 1), (1, 1)), [0, 0, 0, 0]);
    }

    #[test]
    fn a_flat_picture_stays_flat() {
        for (large, small) in [((97, 3), (31, 2)), ((9000, 1), (8000, 1)), ((5, 5), (4, 3))] {
            let pixels = vec![200; (large.0 * large.1) as usize];
            let shrunk = shrink(&pixels, 1, large, small);
            assert_eq!(shrunk, vec![200; (small.0 * small.1) as usize]);
        }
    }
}
