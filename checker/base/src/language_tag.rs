//! Checks language tags as search engines do: a language, an optional script, an optional region (BCP 47; ISO
//! 639, 15924 and 3166).

use crate::plural::capitalized;

/// The two-letter languages (ISO 639-1), with `sh`, which BCP 47 keeps.
pub const LANGUAGES: &str = concat!(
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da ",
    "de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ",
    "ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln ",
    "lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi ",
    "pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ",
    "ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu",
);

/// The countries (ISO 3166-1), with Kosovo, which browsers and search engines accept.
const REGIONS: &str = concat!(
    "ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bl bm bn bo bq br bs ",
    "bt bv bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee ",
    "eg eh er es et fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm ",
    "hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc ",
    "li lk lr ls lt lu lv ly ma mc md me mf mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na ",
    "nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw ",
    "sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st sv sx sy sz tc td tf tg th tj tk tl tm tn to ",
    "tr tt tv tw tz ua ug um us uy uz va vc ve vg vi vn vu wf ws xk ye yt za zm zw",
);

/// Common mistakes and their corrections: countries instead of languages, withdrawn codes, and three-letter
/// codes of languages with a two-letter code (RFC 5646, 2.2.1).
const CORRECTIONS: [(&str, &str); 34] = [
    ("at", "de-AT"),
    ("chi", "zh"),
    ("cn", "zh-CN"),
    ("cz", "cs"),
    ("deu", "de"),
    ("dk", "da"),
    ("dut", "nl"),
    ("ell", "el"),
    ("eng", "en"),
    ("fra", "fr"),
    ("fre", "fr"),
    ("gb", "en-GB"),
    ("ger", "de"),
    ("gr", "el"),
    ("gre", "el"),
    ("in", "id"),
    ("ita", "it"),
    ("iw", "he"),
    ("ji", "yi"),
    ("jp", "ja"),
    ("jpn", "ja"),
    ("jw", "jv"),
    ("kor", "ko"),
    ("mx", "es-MX"),
    ("nld", "nl"),
    ("pol", "pl"),
    ("por", "pt"),
    ("rus", "ru"),
    ("spa", "es"),
    ("swe", "sv"),
    ("ua", "uk"),
    ("us", "en-US"),
    ("vn", "vi"),
    ("zho", "zh"),
];

/// An invalid language tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagError {
    /// The reason, as the rest of a sentence about the tag.
    pub reason: String,
    /// The most likely correction.
    pub correction: Option<String>,
}

/// Languages that the registry withdrew, and that browsers still know.
const WITHDRAWN: [&str; 7] = ["bh", "in", "iw", "ji", "jw", "mo", "sh"];

/// Checks the `lang` of an element, in any case; `None` if browsers and screen readers know the language. Only the first
/// part chooses it, so others may be any, such as dialects; `i-` and `x-` begin tags that are no languages of ISO 639.
pub fn element_fault(tag: &str) -> Option<TagError> {
    let lower = tag.to_ascii_lowercase();
    let mut parts = lower.split('-');
    let language = parts.next().unwrap_or_default();
    let is_british = parts.next() == Some("uk") && language != "uk";
    if lower.contains('_') || is_british {
        return fault(&lower);
    }
    let is_known = WITHDRAWN.contains(&language) || matches!(language, "i" | "x");
    if is_known { None } else { fault(language).and_then(|_| fault(&lower)) }
}

/// Checks a tag, in any case; `None` if search engines understand it. `x-default` is not a tag.
pub fn fault(tag: &str) -> Option<TagError> {
    let lower = tag.to_ascii_lowercase();
    let bad = |reason: String, correction: Option<String>| Some(TagError { reason, correction });
    if lower.contains('_') {
        let hyphens = lower.replace('_', "-");
        let correction = match fault(&hyphens) {
            None => Some(canonical(&hyphens)),
            Some(other) => other.correction,
        };
        return bad("is not a language tag: its parts are joined by `-`".to_owned(), correction);
    }
    let (language, rest) = lower.split_once('-').unwrap_or((&lower, ""));
    let is_word = language.bytes().all(|byte| byte.is_ascii_lowercase());
    let correction_of = CORRECTIONS.binary_search_by_key(&language, |(written, _)| written);
    let correction_of = correction_of.ok().map(|at| &CORRECTIONS[at]);
    let is_language = is_word
        && correction_of.is_none()
        && match language.len() {
            2 => has(LANGUAGES, language),
            length => length == 3,
        };
    if !is_language {
        let correction = correction_of.map(|(_, correction)| match rest {
            "" => (*correction).to_owned(),
            rest => canonical(&format!("{}-{rest}", &correction[..2])),
        });
        return bad(
            "does not begin with a language".to_owned(),
            correction.filter(|correction| fault(correction).is_none()),
        );
    }
    let subtags: Vec<&str> = lower.split('-').skip(1).collect();
    match unknown(&subtags) {
        None => None,
        Some("uk") => {
            let correction = canonical(&lower.replacen("-uk", "-gb", 1));
            let correction = Some(correction).filter(|correction| fault(correction).is_none());
            bad("names no country: the United Kingdom is `GB`".to_owned(), correction)
        }
        Some(part) if part.len() == 2 => {
            bad(format!("names no country by `{}`", part.to_ascii_uppercase()), None)
        }
        Some(_) => bad("is not a language tag".to_owned(), None),
    }
}

/// Returns the first subtag that is not valid at its position (RFC 5646, 2.1).
fn unknown<'t>(subtags: &[&'t str]) -> Option<&'t str> {
    let is_word = |part: &str| part.bytes().all(|byte| byte.is_ascii_lowercase());
    let mut rest = subtags;
    let mut skip = |fits: &dyn Fn(&str) -> bool| {
        if let [first, others @ ..] = rest
            && fits(first)
        {
            rest = others;
        }
    };
    skip(&|part| part.len() == 3 && is_word(part));
    skip(&|part| part.len() == 4 && is_word(part));
    skip(&|part| match part.len() {
        2 => has(REGIONS, part),
        3 => part.bytes().all(|byte| byte.is_ascii_digit()),
        _ => false,
    });
    let first = rest.first()?;
    // Variants, extensions and private subtags, which search engines ignore.
    let is_plain =
        |part: &&str| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_variant = first.len() >= 5 || first.len() == 1 || (first.len() == 4 && !is_word(first));
    if is_variant && rest.iter().all(is_plain) { None } else { Some(first) }
}

/// Formats a tag in the usual case: `zh-Hant-TW`.
fn canonical(tag: &str) -> String {
    let parts = tag.split('-').enumerate().map(|(at, part)| match part.len() {
        2 if at > 0 => part.to_ascii_uppercase(),
        4 if at > 0 => capitalized(part),
        _ => part.to_ascii_lowercase(),
    });
    parts.collect::<Vec<_>>().join("-")
}

/// Whether a sorted list of codes of two letters has one. Each page has a language, so the list is not read from its start.
fn has(codes: &str, code: &str) -> bool {
    let (codes, last) = codes.as_bytes().as_chunks::<3>();
    last == code.as_bytes() || codes.binary_search_by(|listed| listed[..2].cmp(code.as_bytes())).is_ok()
}

#[cfg(test)]
mod tests {
    use super::{CORRECTIONS, LANGUAGES, REGIONS, fault};

    fn correction(tag: &str) -> Option<String> {
        fault(tag).and_then(|bad| bad.correction)
    }

    #[test]
    fn the_tables_are_consistent() {
        assert_eq!((LANGUAGES.split(' ').count(), REGIONS.split(' ').count()), (185, 250));
        assert!(LANGUAGES.split(' ').is_sorted() && REGIONS.split(' ').is_sorted());
        assert!(CORRECTIONS.is_sorted());
        for (written, correction) in CORRECTIONS {
            assert!(
                fault(correction).is_none() && !LANGUAGES.split(' ').any(|code| code == written),
                "{written}"
            );
        }
    }

    #[test]
    fn accepts_tags_that_search_engines_understand() {
        for tag in [
            "en",
            "EN-gb",
            "zh-Hant",
            "zh-Hans-CN",
            "es-419",
            "fil",
            "ckb-IQ",
            "zh-yue-HK",
            "sl-rozaj",
            "de-1996",
            "de-DE-1996",
            "en-x-private",
            "de-u-co-phonebk",
            "sr-Latn-RS",
            "sq-XK",
        ] {
            assert_eq!(fault(tag), None, "{tag}");
        }
    }

    #[test]
    fn rejects_other_tags_and_suggests_corrections() {
        for tag in [
            "",
            "english",
            "e",
            "en-",
            "en--us",
            "xx",
            "en-EU",
            "en-UK",
            "jp",
            "zh-CN-Hant",
            "en us",
            "é",
            "-",
            "en-é",
            "*",
            "en-us-gb",
            "1a",
        ] {
            assert!(fault(tag).is_some(), "{tag}");
        }
        for (tag, right) in [
            ("en-UK", "en-GB"),
            ("en_us", "en-US"),
            ("EN_UK", "en-GB"),
            ("jp", "ja"),
            ("jp-JP", "ja-JP"),
            ("cn", "zh-CN"),
            ("cz-cz", "cs-CZ"),
            ("zh_hant_tw", "zh-Hant-TW"),
        ] {
            assert_eq!(correction(tag).as_deref(), Some(right), "{tag}");
        }
        assert_eq!(correction("en-eu"), None);
    }
}
