//! Names that hold a hash of the file's content, as bundlers write them: `app-B3x_9kQz.js`, `main.073c9b0a.chunk.js`.
//!
//! Such a file never changes under its name, so browsers may keep it for a year. Whatever is taken for a hash by
//! mistake is then never updated, while a hash that is not recognised only costs a question to the server: so what
//! could also be a date, a word, a version or a size is not a hash.

/// How long the hashes of Rollup, Vite, esbuild and Parcel are.
const SHORTEST: usize = 8;

/// Digits in a row that a hash of 64 letters hardly ever has, and a year or a number often has.
const LONG_NUMBER: usize = 4;

/// Hexadecimal digits from which on not even a date with letters is meant.
const LONG_HEX: usize = 16;

/// Whether the name at the end of a path holds a hash of the file's content.
pub fn is_hashed(path: &str) -> bool {
    let Some(stem) = stem(path) else { return false };
    let pieces: Vec<&str> = stem.split(['.', '-', '_', '~', '@']).collect();
    if is_uuid(&pieces) {
        return false;
    }
    // The hashes of Rollup have an alphabet of 64 letters, `-` and `_` among them.
    let last = stem.len().checked_sub(SHORTEST + 1).and_then(|at| stem.get(at..));
    let last = last.and_then(|last| last.strip_prefix(['-', '.']));
    pieces.into_iter().any(|piece| is_hex_hash(piece) || is_base32_hash(piece) || is_base64_hash(piece))
        || last.is_some_and(is_base64_hash)
}

/// Whether all of a folder's names hold hashes: most of them surely, and each of the others could.
pub fn are_all_hashed<P: AsRef<str>>(paths: impl Iterator<Item = P>) -> bool {
    let (mut sure, mut all) = (0_usize, 0_usize);
    for path in paths {
        if is_hashed(path.as_ref()) {
            sure += 1;
        } else if !could_be_hashed(path.as_ref()) {
            return false;
        }
        all += 1;
    }
    all > 0 && sure * 4 >= all * 3
}

/// Whether a name is long and mixed enough to hold a hash.
fn could_be_hashed(path: &str) -> bool {
    let Some(stem) = stem(path) else { return false };
    stem.split('.').any(|part| {
        let hash = part.rsplit(['-', '_']).next().unwrap_or(part);
        part.len() >= SHORTEST
            && (hash.len() >= 6 || part.contains(['-', '_']))
            && part.bytes().any(|b| b.is_ascii_digit() || b.is_ascii_uppercase())
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
    })
}

/// The name at the end of a path, without its last ending; none where it has none.
fn stem(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map(|(stem, _)| stem)
}

/// A random name, which says nothing about the content.
fn is_uuid(pieces: &[&str]) -> bool {
    pieces.windows(5).any(|five| {
        five.iter().map(|piece| piece.len()).eq([8, 4, 4, 4, 12])
            && five.iter().all(|piece| piece.bytes().all(|b| b.is_ascii_hexdigit()))
    })
}

/// As webpack, Next, Parcel, Hugo and Rails write them: `4f2a9c01`, and longer.
fn is_hex_hash(piece: &str) -> bool {
    let is_hex = piece.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    let runs = runs(piece);
    is_hex
        && piece.len() >= SHORTEST
        && runs.len() >= 3
        && (piece.len() >= LONG_HEX || !runs.iter().any(|run| is_date(run)))
}

/// As esbuild writes them: `QK5PWKL3`.
fn is_base32_hash(piece: &str) -> bool {
    piece.len() == SHORTEST
        && piece.bytes().all(|b| matches!(b, b'A'..=b'Z' | b'2'..=b'7'))
        && runs(piece).len() >= 3
}

/// As Rollup and Vite write them: `B3x_9kQz`. Hashes without a digit are told from words by their sound.
fn is_base64_hash(piece: &str) -> bool {
    let has = |is: fn(&char) -> bool| piece.chars().any(|c| is(&c));
    let alphabet = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if piece.len() < SHORTEST || !piece.chars().all(alphabet) {
        return false;
    }
    if !has(char::is_ascii_uppercase) || !has(char::is_ascii_lowercase) {
        return false;
    }
    let runs = runs(piece);
    let has_long_number = runs.iter().any(|run| is_number(run) && run.len() >= LONG_NUMBER);
    if has_long_number {
        false
    } else if has(char::is_ascii_digit) {
        runs.len() * 8 >= piece.len() * 5 || runs.len() >= 3 && !runs.iter().any(|run| is_word(run))
    } else {
        let large = piece.chars().filter(char::is_ascii_uppercase).count();
        let is_acronym = |run: &str| run.bytes().all(|b| b.is_ascii_uppercase());
        let mut long = runs.iter().filter(|run| run.len() > 2).peekable();
        let sounds = long.peek().is_some() && long.all(|run| is_word(run) || is_acronym(run));
        piece.len() == SHORTEST && large > 1 && !sounds
    }
}

/// Splits into numbers, words with at most their first letter large, and runs of large letters.
fn runs(piece: &str) -> Vec<&str> {
    let bytes = piece.as_bytes();
    let kind = |at: usize| match bytes[at] {
        b'0'..=b'9' => 0,
        b'A'..=b'Z' => 1,
        b'a'..=b'z' => 2,
        _ => 3,
    };
    let mut starts = Vec::new();
    for at in 0..bytes.len() {
        let begins_word = at + 1 < bytes.len() && kind(at) == 1 && kind(at + 1) == 2;
        let ends_word = at > 0 && kind(at - 1) == 1 && kind(at) == 2;
        if at == 0 || begins_word || kind(at) != kind(at - 1) && !ends_word {
            starts.push(at);
        }
    }
    let ends = starts.iter().skip(1).copied().chain([bytes.len()]);
    let runs = starts.iter().zip(ends).filter_map(|(&start, end)| piece.get(start..end));
    runs.filter(|run| run.bytes().all(|b| b.is_ascii_alphanumeric())).collect()
}

fn is_number(run: &str) -> bool {
    run.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a number begins with a date such as 20240911.
fn is_date(run: &str) -> bool {
    let part = |from: usize, to: usize| run.get(from..to).and_then(|text| text.parse::<u32>().ok());
    is_number(run)
        && part(0, 4).is_some_and(|year| (1900..2100).contains(&year))
        && part(4, 6).is_some_and(|month| (1..=12).contains(&month))
        && part(6, 8).is_some_and(|day| (1..=31).contains(&day))
}

/// Whether letters can be spoken: three or more, with vowels, and never three consonants in a row.
fn is_word(run: &str) -> bool {
    let is_vowel = |b: u8| b"aeiouyAEIOUY".contains(&b);
    let letters = run.bytes().all(|b| b.is_ascii_alphabetic());
    let crowded = run.as_bytes().windows(3).any(|three| three.iter().all(|&b| !is_vowel(b)));
    letters && run.len() >= 3 && run.bytes().any(is_vowel) && !crowded
}

#[cfg(test)]
mod tests {
    use super::{are_all_hashed, is_hashed};

    #[test]
    fn names_that_bundlers_write() {
        for name in [
            // Vite and Rollup: eight letters of 64.
            "assets/index-DiwrgTda.js",
            "assets/index-DdXk-1_a.css",
            "assets/app-B3x_9kQz.js",
            "assets/app-B3xk9a2Z.js",
            "assets/vendor-legacy-Cw3Dk2_Z.js",
            "assets/inter-latin-wght-normal-Dx4kXJAl.woff2",
            // Nuxt: nothing but the hash.
            "_nuxt/DlAUqK2U.js",
            "_nuxt/entry.B8zS3rJ-.css",
            // webpack and Create React App: hexadecimal, with endings after it.
            "main.1a2b3c4d.js",
            "main.8f5c7b9a1d2e3f4a5b6c.js",
            "static/js/787.073c9b0a.chunk.js",
            "static/js/main.e6c13ad2.js.LICENSE.txt",
            "static/media/logo.6ce24c58023cc2f8fd88fe9d219db6c6.svg",
            // Next and Turbopack.
            "_next/static/chunks/main-9c5a8b0e1f2d3c4b.js",
            "_next/static/chunks/pages/_app-7b3c2f1e0d9a8b7c.js",
            "_next/static/chunks/pages/[slug]-3f2e1d0c9b8a7f6e.js",
            "_next/static/css/0f1e2d3c4b5a6978.css",
            "_next/static/media/c9a5bc6a7c948fb0-s.p.woff2",
            "_next/static/chunks/turbopack-e2d4b3f0a1c9d8e7.js",
            // Parcel.
            "index.3f9b2c1a.js",
            "index.runtime.c3b5f1d2.js",
            "src.e31bb0bc.css",
            // esbuild and Angular: eight letters of 32.
            "chunk-QK5PWKL3.js",
            "polyfills-FFHMD2TL.js",
            "main-5ZJQ4XWZ.css",
            // SvelteKit.
            "_app/immutable/entry/start.B7mXGZ2R.js",
            "_app/immutable/chunks/index.Dk3nf8Zc.js",
            "_app/immutable/nodes/0.BcTmxX1q.js",
            "_app/immutable/start-a1b2c3d4.js",
            // Astro, its pictures with a second hash.
            "_astro/index.d5e2a9c1.css",
            "_astro/hoisted.CbHd8o2T.js",
            "_astro/penguin.Cw3Dk2Zx_1hYq2b.webp",
            // Others: mkdocs, trunk, Hugo.
            "assets/javascripts/bundle.d7c377c4.min.js",
            "assets/stylesheets/main.7e359304.min.css",
            "app-1a2b3c4d5e6f7a8b_bg.wasm",
            "css/main.min.0f3e9a7c21b45d6e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9fa0b1c2d3e4f5.css",
            "a/app.0f3c9a7e.css",
            "inter-4f2a9c01.woff2",
            "x-0f3e9a7c21b4.png",
        ] {
            assert!(is_hashed(name), "{name}");
        }
    }

    #[test]
    fn names_that_people_write() {
        for name in [
            // Words.
            "favicon.ico",
            "logo.svg",
            "robots.txt",
            "photograph.jpg",
            "index.html",
            "og-image.png",
            "logo-horizontal.svg",
            "logo-DarkMode.svg",
            "icon-HomePage.svg",
            "HTMLPage.html",
            "photo-ORIGINAL.jpg",
            "logo-deadbeef.svg",
            "apple-touch-icon.png",
            "README",
            ".htaccess",
            // Dates and times.
            "photo-20240911.jpg",
            "photo-2024-09-11.jpg",
            "report-20240911a1.pdf",
            "IMG_20240911_143000.jpg",
            "clip-20240911T143000.mp4",
            "Screenshot 2024-09-11 at 14.30.00.png",
            // Versions.
            "jquery-3.7.1.min.js",
            "bootstrap-5.3.2.bundle.js",
            "app-v10beta2.js",
            "app-1.10.0-rc1.js",
            "Report-Q3Final2.pdf",
            "guide-Win11Pro.pdf",
            // Sizes and counts.
            "hero-1920x1080.jpg",
            "hero-2560x1440@2x.png",
            "clip-1080p60fps.mp4",
            "clip-3840x2160p60.mp4",
            "clip-h264x265.mp4",
            "icon-512x512.png",
            "book-part1of10.pdf",
            "slides-chapter12.pdf",
            "poster-iphone15pro.webp",
            // Numbers of cameras and files.
            "DSC00123.jpg",
            "photo-IMG12345.jpg",
            "scan-00000123.png",
            "Photo123.jpg",
            // Random, and the same for every content.
            "550e8400-e29b-41d4-a716-446655440000.pdf",
            // Not ASCII.
            "größe-übersicht.png",
            "写真-写真写真写真.jpg",
        ] {
            assert!(!is_hashed(name), "{name}");
        }
    }

    #[test]
    fn a_folder_may_hold_a_few_hashes_that_sound_like_words() {
        let names = ["index-B3xk9a2Z.js", "app-DdXk-1_a.css", "chunk-QK5PWKL3.js", "chunk-DimaRola.js"];
        assert!(!is_hashed(names[3]));
        assert!(are_all_hashed(names.iter()));
        assert!(!are_all_hashed(names.iter().chain(&["logo.svg"])));
        assert!(!are_all_hashed(["photo-20240911.jpg"].iter()));
        assert!(!are_all_hashed(std::iter::empty::<&str>()));
    }
}
