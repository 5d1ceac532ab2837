//! Recognizes and removes hashes of the content in names of files, as bundlers write them: `app-B3x_9kQz.js`,
//! `main.073c9b0a.chunk.js`.
//!
//! Such a file never changes, so browsers may cache it for a year. A false positive would never be updated,
//! while a false negative costs only a revalidation. So anything that could be a date, a word, a version or a
//! size is not a hash.

use std::borrow::Cow;

use crate::site_path::SitePath;

/// The length of the hashes of Rollup, Vite, esbuild and Parcel.
const HASH_LENGTH: usize = 8;

/// Consecutive digits that a base64 hash rarely has, and a year or a number often has.
const MIN_NUMBER_LENGTH: usize = 4;

/// Minimum length of a hexadecimal string that cannot be a date with letters.
const MIN_SURE_HEX_LENGTH: usize = 16;

/// Extensions of Pagefind's index, whose files have short hashes: `en_2ce9433.pf_fragment`.
const PAGEFIND: [&str; 3] = [".pf_fragment", ".pf_index", ".pf_meta"];

/// Whether the file name in a path contains a hash of the content.
pub fn is_hashed(path: &str) -> bool {
    let Some(stem) = stem(path) else { return false };
    if PAGEFIND.iter().any(|extension| path.ends_with(extension)) {
        return true;
    }
    let parts: Vec<&str> = stem.split(['.', '-', '_', '~', '@']).collect();
    if is_uuid(&parts) {
        return false;
    }
    // Rollup's hashes use an alphabet of 64 characters, including `-` and `_`.
    let last = stem.len().checked_sub(HASH_LENGTH + 1).and_then(|at| stem.get(at..));
    let last = last.and_then(|last| last.strip_prefix(['-', '.']));
    parts.into_iter().any(is_hash)
        || last.is_some_and(is_base64_hash)
        // Qwik puts the hash first.
        || stem.get(..=HASH_LENGTH).and_then(|first| first.strip_suffix('-')).is_some_and(is_base64_hash)
}

/// Whether a part of a file name is a hash of the content.
fn is_hash(part: &str) -> bool {
    is_hex_hash(part) || is_base32_hash(part) || is_base64_hash(part)
}

/// Whether all files of a folder have hashed names: most of them clearly, and the others possibly.
pub fn are_all_hashed<P: AsRef<str>>(paths: impl Iterator<Item = P>) -> bool {
    count_hashed(paths).is_some_and(|(sure, all)| all > 0 && sure * 4 >= all * 3)
}

/// Whether all files of a folder may have hashed names: one clearly, and the others possibly. One in six names of Vite is
/// not clear, such as `two-BOGK7tzj.svg`. For uses in which a mistake does no harm.
pub fn may_all_be_hashed<P: AsRef<str>>(paths: impl Iterator<Item = P>) -> bool {
    count_hashed(paths).is_some_and(|(sure, _)| sure > 0)
}

/// Whether a name ends with a hash of a usual length, although it may be another code. For uses in which a mistake does no
/// harm, and for files that a page loads: of random hashes, more than nine in ten count.
pub fn may_end_with_hash(path: &str) -> bool {
    let Some(stem) = stem(path) else { return false };
    let last = stem.rsplit(['.', '-', '_']).next().unwrap_or(stem);
    let of_64 = stem.len().checked_sub(HASH_LENGTH).filter(|at| stem.is_char_boundary(*at));
    let of_64 = of_64.map(|at| stem.split_at(at)).filter(|(before, _)| before.ends_with(['-', '.']));
    may_be_hex_hash(last) || of_64.is_some_and(|(_, hash)| may_be_base64_hash(hash))
}

/// Whether a string is hexadecimal, has a usual length, and is neither a word, a date, a time nor a small number.
fn may_be_hex_hash(part: &str) -> bool {
    let is_hex = part.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    if !is_hex || !matches!(part.len(), 8 | 10 | 16 | 20) {
        return false;
    }
    let runs = runs(part);
    let mut numbers = runs.iter().filter(|run| is_number(run));
    match runs.len() {
        1 => {
            // Counters begin with zeros, and the seconds since 1970 with 1.
            let is_counter = part.contains("000") || part.len() == 10 && part.starts_with('1');
            is_number(part) && !is_any_date(part) && !is_counter
        }
        2 => {
            let is_long_word = |run: &&str| run.len() > 3 && is_word(run);
            !numbers.any(|number| is_any_date(number)) && !runs.iter().any(is_long_word)
        }
        _ => {
            part.len() >= MIN_SURE_HEX_LENGTH
                || !numbers.any(|number| number.len() >= 8 && is_any_date(number))
        }
    }
}

/// Whether a string is mixed as hashes of 64 characters are: at most two thirds of its letters are in words.
fn may_be_base64_hash(part: &str) -> bool {
    let count = |is: fn(&u8) -> bool| part.bytes().filter(is).count();
    let is_mixed = count(u8::is_ascii_uppercase) > 0 && count(u8::is_ascii_lowercase) > 0;
    if !is_mixed || !part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')) {
        return false;
    }
    let runs = runs(part);
    let is_syllable =
        |run: &str| run.len() == 2 && run.bytes().filter(|b| b"aeiouyAEIOUY".contains(b)).count() == 1;
    let is_capitals = |run: &str| run.bytes().all(|b| b.is_ascii_uppercase());
    let words = runs.iter().filter(|run| (is_word(run) || is_syllable(run)) && !is_capitals(run));
    let lengths: Vec<usize> = words.map(|word| word.len()).collect();
    runs.len() >= 3
        && lengths.iter().all(|length| *length < 5)
        && lengths.iter().sum::<usize>() * 3 <= count(u8::is_ascii_alphabetic) * 2
        && !runs.iter().any(|run| is_number(run) && is_any_date(run))
}

/// Whether a number may be a year, or a day in any order.
fn is_any_date(number: &str) -> bool {
    let part = |from: usize, to: usize| number.get(from..to).and_then(|text| text.parse::<u32>().ok());
    let is_year = |from: usize| part(from, from + 4).is_some_and(|year| (1900..2100).contains(&year));
    let is_day = |from: usize| {
        let both = part(from, from + 2).zip(part(from + 2, from + 4));
        both.is_some_and(|(a, b)| (1..=12).contains(&a.min(b)) && (1..=31).contains(&a.max(b)))
    };
    match number.len() {
        4 => is_year(0),
        6 => is_day(0) || is_day(2),
        8.. => is_year(0) && is_day(4) || is_year(4) && is_day(0),
        _ => false,
    }
}

/// Returns the number of names that are clearly hashed, and of all; `None` if one is clearly not.
fn count_hashed<P: AsRef<str>>(paths: impl Iterator<Item = P>) -> Option<(usize, usize)> {
    let (mut sure, mut all) = (0, 0);
    for path in paths {
        if is_hashed(path.as_ref()) {
            sure += 1;
        } else if !could_be_hashed(path.as_ref()) {
            return None;
        }
        all += 1;
    }
    Some((sure, all))
}

/// Whether a name is long and mixed enough to contain a hash.
fn could_be_hashed(path: &str) -> bool {
    let Some(stem) = stem(path) else { return false };
    stem.split('.').any(|part| {
        let hash = part.rsplit(['-', '_']).next().unwrap_or(part);
        part.len() >= HASH_LENGTH
            && (hash.len() >= 6 || part.contains(['-', '_']))
            && part.bytes().any(|b| b.is_ascii_digit() || b.is_ascii_uppercase())
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
    })
}

/// Returns the file name in a path without its last extension; none if it has none.
fn stem(path: &str) -> Option<&str> {
    let path = SitePath::new(path);
    path.extension().map(|_| path.stem())
}

/// Whether a name is a UUID, which is independent of the content.
fn is_uuid(parts: &[&str]) -> bool {
    parts.windows(5).any(|five| {
        five.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12])
            && five.iter().all(|part| part.bytes().all(|b| b.is_ascii_hexdigit()))
    })
}

/// Whether it is a hash as in webpack, Next, Parcel, Hugo and Rails: `4f2a9c01` or longer.
fn is_hex_hash(part: &str) -> bool {
    let is_hex = part.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    let runs = runs(part);
    is_hex
        && part.len() >= HASH_LENGTH
        && runs.len() >= 3
        && (part.len() >= MIN_SURE_HEX_LENGTH || !runs.iter().any(|run| is_date(run)))
}

/// Whether it is a hash as in esbuild: `QK5PWKL3`.
fn is_base32_hash(part: &str) -> bool {
    part.len() == HASH_LENGTH
        && part.bytes().all(|b| matches!(b, b'A'..=b'Z' | b'2'..=b'7'))
        && runs(part).len() >= 3
}

/// Whether it is a hash as in Rollup and Vite: `B3x_9kQz`. Hashes without a digit must not look like words.
fn is_base64_hash(part: &str) -> bool {
    let has = |is: fn(&char) -> bool| part.chars().any(|c| is(&c));
    let alphabet = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if part.len() < HASH_LENGTH || !part.chars().all(alphabet) {
        return false;
    }
    if !has(char::is_ascii_uppercase) || !has(char::is_ascii_lowercase) {
        return false;
    }
    let runs = runs(part);
    let has_long_number = runs.iter().any(|run| is_number(run) && run.len() >= MIN_NUMBER_LENGTH);
    if has_long_number {
        false
    } else if has(char::is_ascii_digit) {
        runs.len() * 8 >= part.len() * 5 || runs.len() >= 3 && !runs.iter().any(|run| is_word(run))
    } else {
        let capitals = part.chars().filter(char::is_ascii_uppercase).count();
        let is_acronym = |run: &str| run.bytes().all(|b| b.is_ascii_uppercase());
        let long = || runs.iter().filter(|run| run.len() > 2);
        // One syllable among capitals is no word.
        let is_pronounceable = long().map(|run| run.len()).sum::<usize>() * 2 >= part.len()
            && long().all(|run| is_word(run) || is_acronym(run));
        part.len() == HASH_LENGTH && capitals > 1 && !is_pronounceable
    }
}

/// Splits into numbers, words with an optional capital, and runs of capitals.
fn runs(part: &str) -> Vec<&str> {
    let bytes = part.as_bytes();
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
    let runs = starts.iter().zip(ends).filter_map(|(&start, end)| part.get(start..end));
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

/// Whether letters are pronounceable: three or more, with vowels, and never three consonants in a row.
fn is_word(run: &str) -> bool {
    let is_vowel = |b: u8| b"aeiouyAEIOUY".contains(&b);
    let letters = run.bytes().all(|b| b.is_ascii_alphabetic());
    let has_consonant_cluster = run.as_bytes().windows(3).any(|three| three.iter().all(|&b| !is_vowel(b)));
    letters && run.len() >= 3 && run.bytes().any(is_vowel) && !has_consonant_cluster
}

/// Returns a path whose file name has `#` for each content hash; the path itself if it has none.
pub fn stable_name(path: &str) -> Cow<'_, str> {
    if !is_hashed(path) {
        return Cow::Borrowed(path);
    }
    let path = SitePath::new(path);
    Cow::Owned(format!("{}{}", path.folder_with_slash(), without_hashes(path.name())))
}

/// Returns a file name without its hash and the separator before it, as its source may be named: `app.js` for
/// `app-B3x_9kQz.js`. Returns `None` if it has no hash, or only that.
pub fn without_hash(name: &str) -> Option<String> {
    let Cow::Owned(stable) = stable_name(name) else { return None };
    let (before, after) = stable.split_once('#')?;
    // Astro adds a second, short hash to images.
    let second = after.strip_prefix('_').and_then(|after| after.split_once('.'));
    let second = second.filter(|(hash, _)| (5..=6).contains(&hash.len()));
    let is_second = |hash: &str| hash.bytes().any(|b| b.is_ascii_digit() || b.is_ascii_uppercase());
    let after = match second {
        Some((hash, extension)) if is_second(hash) => format!(".{extension}"),
        _ => after.to_owned(),
    };
    let before = before.strip_suffix(['.', '-', '_', '~', '@']).filter(|before| !before.is_empty())?;
    Some(format!("{before}{after}"))
}

fn without_hashes(name: &str) -> String {
    let Some((stem, extension)) = name.rsplit_once('.') else { return name.to_owned() };
    // Hashes of 64 characters may contain the separators, so the first and the last eight come first.
    let last = stem.len().checked_sub(9).filter(|at| stem.is_char_boundary(*at)).map(|at| stem.split_at(at));
    if let Some((start, end)) = last
        && let Some(hash) = end.strip_prefix(['-', '.'])
        && is_hash(hash)
    {
        return format!("{start}{}#.{extension}", &end[..1]);
    }
    if let Some((hash, rest)) = stem.split_at_checked(8)
        && rest.starts_with('-')
        && is_hash(hash)
    {
        return format!("#{rest}.{extension}");
    }
    let mut stable = String::with_capacity(name.len());
    let mut parts = stem.split_inclusive(['.', '-', '_', '~', '@']).peekable();
    let is_short = extension.starts_with("pf_");
    while let Some(part) = parts.next() {
        let bare = if parts.peek().is_some() {
            &part[..part.len() - 1]
        } else {
            part.trim_end_matches(['.', '-', '_', '~', '@'])
        };
        let is_own =
            is_hash(bare) || is_short && bare.len() >= 7 && bare.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_own {
            stable.push('#');
            stable.push_str(&part[bare.len()..]);
        } else {
            stable.push_str(part);
        }
    }
    format!("{stable}.{extension}")
}

#[cfg(test)]
mod tests {
    use super::{are_all_hashed, is_hashed, may_end_with_hash, stable_name};

    #[test]
    fn recognizes_names_of_bundlers() {
        for name in [
            // Vite and Rollup: eight characters of 64.
            "assets/D2qFrAD--photo.png",
            "assets/index-DiwrgTda.js",
            "assets/md-IvxFSaOJ.js",
            "assets/index-DdXk-1_a.css",
            "assets/app-B3x_9kQz.js",
            "assets/app-B3xk9a2Z.js",
            "assets/vendor-legacy-Cw3Dk2_Z.js",
            "assets/inter-latin-wght-normal-Dx4kXJAl.woff2",
            // Pagefind: seven or more hexadecimal characters.
            "pagefind/fragment/en_2ce9433.pf_fragment",
            "pagefind/pagefind.en_6fc7e6f5c5.pf_meta",
            // Nuxt: only the hash.
            "_nuxt/DlAUqK2U.js",
            "_nuxt/entry.B8zS3rJ-.css",
            // webpack and Create React App: hexadecimal, with more extensions.
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
            // esbuild and Angular: eight characters of 32.
            "chunk-QK5PWKL3.js",
            "polyfills-FFHMD2TL.js",
            "main-5ZJQ4XWZ.css",
            // SvelteKit.
            "_app/immutable/entry/start.B7mXGZ2R.js",
            "_app/immutable/chunks/index.Dk3nf8Zc.js",
            "_app/immutable/nodes/0.BcTmxX1q.js",
            "_app/immutable/start-a1b2c3d4.js",
            // Astro, with a second hash for images.
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
    fn rejects_names_of_people() {
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
            // Random, independent of the content.
            "550e8400-e29b-41d4-a716-446655440000.pdf",
            // Not ASCII.
            "größe-übersicht.png",
            "写真-写真写真写真.jpg",
        ] {
            assert!(!is_hashed(name), "{name}");
        }
    }

    #[test]
    fn a_folder_may_contain_a_few_hashes_that_look_like_words() {
        let names = ["index-B3xk9a2Z.js", "app-DdXk-1_a.css", "chunk-QK5PWKL3.js", "chunk-DimaRola.js"];
        assert!(!is_hashed(names[3]));
        assert!(are_all_hashed(names.iter()));
        assert!(!are_all_hashed(names.iter().chain(&["logo.svg"])));
        assert!(!are_all_hashed(["photo-20240911.jpg"].iter()));
        assert!(!are_all_hashed(std::iter::empty::<&str>()));
    }

    #[test]
    fn names_of_loaded_files_may_end_with_a_hash() {
        for name in [
            "app.d2292513.css",
            "app.36393723.css",
            "app.7570e11f.css",
            "app.0123456fed.css",
            "a/app-C55tuxUI.css",
            "app-TSxUlyvT.css",
            "app-x-_k9QzB.css",
            "app_4209748230512946.css",
        ] {
            assert!(may_end_with_hash(name), "{name}");
        }
        for name in [
            "jquery-migrate.js",
            "chapter-download.pdf",
            "20240131.css",
            "app-31012024.css",
            "app.01312024.css",
            "app.1706659200.css",
            "app-c20240131.css",
            "cafe2024.css",
            "ab240131.css",
            "00000123.css",
            "app-facade01.css",
            "app-deadbeef.css",
            "app-DarkMode.css",
            "app-GoToPage.js",
            "app-Win11Pro.js",
            "app-Q3Final2.js",
            "C55tuxUI.css",
            "app.min.css",
            "app-3.7.1.js",
            "größeC55tuxUI.css",
        ] {
            assert!(!may_end_with_hash(name), "{name}");
        }
    }

    /// Returns random digits of an alphabet, always the same.
    fn random(alphabet: &[u8], length: usize, state: &mut u64) -> String {
        let digit = |_| {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            char::from(alphabet[(*state >> 33) as usize % alphabet.len()])
        };
        (0..length).map(digit).collect()
    }

    #[test]
    fn most_random_hashes_count() {
        let mut state = 7;
        for (alphabet, length, minimum) in [
            (&b"0123456789abcdef"[..], 8, 980),
            (b"0123456789abcdef", 10, 980),
            (b"0123456789abcdef", 16, 990),
            (b"0123456789abcdef", 20, 990),
            (b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-", 8, 880),
        ] {
            let names = (0..1_000).map(|_| format!("app-{}.css", random(alphabet, length, &mut state)));
            let missed: Vec<String> =
                names.filter(|name| !is_hashed(name) && !may_end_with_hash(name)).collect();
            assert!(1_000 - missed.len() >= minimum, "{length}: {} {missed:?}", missed.len());
        }
    }

    #[test]
    fn versions_of_a_file_have_one_name() {
        for (path, stable) in [
            ("assets/index-DiwrgTda.js", "assets/index-#.js"),
            ("assets/index-DdXk-1_a.css", "assets/index-#.css"),
            ("_nuxt/DlAUqK2U.js", "_nuxt/#.js"),
            ("static/js/787.073c9b0a.chunk.js", "static/js/787.#.chunk.js"),
            ("_next/static/media/c9a5bc6a7c948fb0-s.p.woff2", "_next/static/media/#-s.p.woff2"),
            ("pagefind/fragment/en_2ce9433.pf_fragment", "pagefind/fragment/en_#.pf_fragment"),
            ("chunk-QK5PWKL3.js", "chunk-#.js"),
            ("D2qFrAD--photo.png", "#-photo.png"),
            ("/main.1a2b3c4d.js", "/main.#.js"),
            ("report-2026.pdf", "report-2026.pdf"),
            ("1a2b3c4d/plain.js", "1a2b3c4d/plain.js"),
        ] {
            assert_eq!(stable_name(path), stable);
        }
    }
}
