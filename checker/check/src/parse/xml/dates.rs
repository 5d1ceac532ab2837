//! Checks the dates of feeds and sitemaps.

use std::ops::Range;

use chrono::{DateTime, NaiveDate};

use super::{Vocabulary, XmlDocument};
use crate::parse::facts::Malformed;

impl XmlDocument<'_, '_> {
    /// Checks a date. Feed readers sort items by it, and many drop an item without one; search engines report a sitemap
    /// with a wrong one. Atom has that of RFC 3339 (RFC 4287, 3.3), RSS 2.0 that of RFC 822, and a sitemap that of W3C,
    /// whose times need a time zone (nuxt-modules/sitemap#208).
    pub(super) fn date(&mut self, range: Range<usize>) {
        let Some((text, span)) = self.plain_text(range).filter(|_| !self.has_wrong_date) else { return };
        let (format, is_valid, standard, example) = match self.vocabulary {
            Some(Vocabulary::Sitemap) => {
                ("date in a sitemap", is_w3c_date(&text), "W3C date", "2027-03-31T08:00:00Z")
            }
            Some(Vocabulary::Atom) => (
                "date in a feed",
                DateTime::parse_from_rfc3339(&text).is_ok(),
                "RFC 3339",
                "2027-03-31T08:00:00Z",
            ),
            _ => {
                let is_valid = DateTime::parse_from_rfc2822(&text).is_ok();
                ("date in a feed", is_valid, "RFC 822", "Wed, 31 Mar 2027 08:00:00 GMT")
            }
        };
        if !is_valid {
            self.has_wrong_date = true;
            let text: String = text.chars().take(60).collect();
            let reason = format!("`{text}` is not written like `{example}` ({standard})");
            self.page.facts.malformed.push(Malformed::meaning(format, reason, span));
        }
    }
}

/// Whether a text is a date of the W3C (NOTE-datetime): a year, a month or a day, or a time with its zone.
fn is_w3c_date(text: &str) -> bool {
    if let Some((day, time)) = text.split_once('T') {
        // Seconds are optional.
        let zone = time.find(['Z', '+', '-']).unwrap_or(time.len());
        let seconds = if time[..zone].len() == "08:00".len() { ":00" } else { "" };
        return DateTime::parse_from_rfc3339(&format!("{day}T{}{seconds}{}", &time[..zone], &time[zone..]))
            .is_ok();
    }
    let day = match text.len() {
        4 => format!("{text}-01-01"),
        7 => format!("{text}-01"),
        _ => text.to_owned(),
    };
    day.len() == "2027-03-31".len() && NaiveDate::parse_from_str(&day, "%Y-%m-%d").is_ok()
}
