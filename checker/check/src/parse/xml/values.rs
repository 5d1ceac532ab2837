//! Checks the dates of feeds and sitemaps, and other values that have few forms.

use std::ops::Range;

use chrono::{DateTime, Datelike, NaiveDate};

use super::{ValueKind, Vocabulary, XmlDocument, XmlFault, cdata};
use crate::parse::facts::Malformed;

impl XmlDocument<'_, '_> {
    /// Checks a date. Feed readers sort items by it, and many drop an item without one; search engines report a sitemap
    /// with a wrong one. Atom has that of RFC 3339 (RFC 4287, 3.3), RSS 2.0 that of RFC 822, and a sitemap that of W3C,
    /// whose times need a time zone (nuxt-modules/sitemap#208).
    pub(super) fn date(&mut self, range: Range<usize>) {
        let Some((text, span)) = self.plain_text(range).filter(|_| !self.has_reported(XmlFault::Date)) else {
            return;
        };
        let (format, year, standard, example) = match self.vocabulary {
            Some(Vocabulary::Sitemap) => {
                ("date in a sitemap", w3c_year(&text), "W3C date", "2027-03-31T08:00:00Z")
            }
            Some(Vocabulary::Atom) => {
                let year = DateTime::parse_from_rfc3339(&text).ok().map(|date| date.year());
                ("date in a feed", year, "RFC 3339", "2027-03-31T08:00:00Z")
            }
            _ => {
                let year = DateTime::parse_from_rfc2822(&text).ok().map(|date| date.year());
                ("date in a feed", year, "RFC 822", "Wed, 31 Mar 2027 08:00:00 GMT")
            }
        };
        // The zero time of Go is in the year 1: Hugo writes it for pages without a date.
        let is_zero = year.is_some_and(|year| year <= 1);
        if year.is_none() || is_zero {
            let text: String = text.chars().take(60).collect();
            let reason = if is_zero {
                format!("`{text}` is what generators write if they know no date")
            } else {
                format!("`{text}` is not written like `{example}` ({standard})")
            };
            self.report(XmlFault::Date, Malformed::meaning(format, reason, span));
        }
    }

    /// Checks a value that has few forms.
    pub(super) fn value_of(&mut self, kind: ValueKind, range: Range<usize>) {
        const FREQUENCIES: [&str; 7] = ["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"];
        let written = self.source.get(range).unwrap_or("").trim();
        let written = cdata(written).unwrap_or(written).trim();
        let (format, is_known, name, forms) = match kind {
            ValueKind::Frequency => (
                "value in a sitemap",
                FREQUENCIES.contains(&written),
                "changefreq",
                "`always`, `hourly`, `daily` … `never`",
            ),
            ValueKind::Priority => {
                let is_known = written.parse::<f32>().is_ok_and(|number| (0.0..=1.0).contains(&number));
                ("value in a sitemap", is_known, "priority", "a number from 0.0 to 1.0")
            }
            ValueKind::Minutes => {
                let is_known = !written.is_empty() && written.bytes().all(|byte| byte.is_ascii_digit());
                ("value in a feed", is_known, "ttl", "a number of minutes")
            }
        };
        if !is_known {
            let shown: String = written.chars().take(60).collect();
            let reason = format!("`{name}` is `{shown}`, but must be {forms}");
            self.report(XmlFault::Value, Malformed::meaning(format, reason, self.span(written)));
        }
    }
}

/// Returns the year of a date of the W3C (NOTE-datetime): a year, a month or a day, or a time with its zone.
fn w3c_year(text: &str) -> Option<i32> {
    if let Some((day, time)) = text.split_once('T') {
        // Seconds are optional.
        let zone = time.find(['Z', '+', '-']).unwrap_or(time.len());
        let seconds = if time[..zone].len() == "08:00".len() { ":00" } else { "" };
        let whole = format!("{day}T{}{seconds}{}", &time[..zone], &time[zone..]);
        return DateTime::parse_from_rfc3339(&whole).ok().map(|date| date.year());
    }
    let day = match text.len() {
        4 => format!("{text}-01-01"),
        7 => format!("{text}-01"),
        _ => text.to_owned(),
    };
    let date = NaiveDate::parse_from_str(&day, "%Y-%m-%d").ok();
    date.filter(|_| day.len() == "2027-03-31".len()).map(|date| date.year())
}
