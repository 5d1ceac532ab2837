//! When a certificate ends, read from its bytes (X.509 in DER, RFC 5280): all that is asked of it here.

use std::time::{SystemTime, UNIX_EPOCH};

/// Tags of DER.
const SEQUENCE: u8 = 0x30;
const VERSION: u8 = 0xa0;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;

/// Days from now until a certificate ends, less than none where it has; `None` where its bytes cannot be read.
pub(crate) fn days_left(certificate: &[u8], now: SystemTime) -> Option<i64> {
    let now = i64::try_from(now.duration_since(UNIX_EPOCH).ok()?.as_secs()).ok()?;
    Some((end(certificate)? - now).div_euclid(24 * 60 * 60))
}

/// The second that a certificate ends in, since 1970.
fn end(certificate: &[u8]) -> Option<i64> {
    let (_, certificate, _) = element(certificate).filter(|(tag, ..)| *tag == SEQUENCE)?;
    let (_, mut fields, _) = element(certificate).filter(|(tag, ..)| *tag == SEQUENCE)?;
    if let Some((VERSION, _, rest)) = element(fields) {
        fields = rest;
    }
    // Serial number, algorithm, issuer.
    for _ in 0..3 {
        fields = element(fields)?.2;
    }
    let (_, validity, _) = element(fields).filter(|(tag, ..)| *tag == SEQUENCE)?;
    let (tag, end, _) = element(element(validity)?.2)?;
    let end = std::str::from_utf8(end).ok()?.strip_suffix('Z')?;
    match tag {
        // Years from 50 on are of the last century.
        UTC_TIME => seconds(if end.as_bytes().first()? < &b'5' { "20" } else { "19" }, end),
        GENERALIZED_TIME => seconds("", end),
        _ => None,
    }
}

/// The first element: its tag, its content, and what comes after it.
fn element(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = bytes.split_first()?;
    let (&first, rest) = rest.split_first()?;
    let (length, rest) = match first {
        0..=0x7f => (usize::from(first), rest),
        0x81..=0x84 => {
            let (length, rest) = rest.split_at_checked(usize::from(first - 0x80))?;
            (length.iter().fold(0, |length, byte| length << 8 | usize::from(*byte)), rest)
        }
        _ => return None,
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((tag, content, rest))
}

/// The second of a time written as `YYYYMMDDhhmmss`, since 1970.
fn seconds(century: &str, written: &str) -> Option<i64> {
    let written = format!("{century}{written}");
    if written.len() != 14 || !written.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = |from: usize, to: usize| written[from..to].parse::<i64>().ok();
    let (year, month, day) = (number(0, 4)?, number(4, 6)?, number(6, 8)?);
    // Years that begin in March have the leap day at their end.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 1;
    // From the first of March of the year 0 to the first of January 1970.
    let days = days - 719_468;
    Some(((days * 24 + number(8, 10)?) * 60 + number(10, 12)?) * 60 + number(12, 14)?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::time::{Duration, UNIX_EPOCH};

    use rcgen::{CertificateParams, KeyPair, date_time_ymd};

    use super::{days_left, seconds};

    #[test]
    fn times_are_those_of_calendars() {
        assert_eq!(seconds("", "19700101000000"), Some(0));
        assert_eq!(seconds("20", "000301000000"), Some(951_868_800));
        assert_eq!(seconds("", "20241231235959"), Some(1_735_689_599));
        assert_eq!(seconds("", "2024123123595x"), None);
    }

    #[test]
    fn certificates_tell_their_end() {
        for (year, days) in [(2030, 365), (2060, 365 + 10_957)] {
            let mut params = CertificateParams::new(["a.example".to_owned()]).unwrap();
            params.not_after = date_time_ymd(year, 1, 1);
            let made = params.self_signed(&KeyPair::generate().unwrap()).unwrap();
            let now = UNIX_EPOCH + Duration::from_secs(1_861_920_000); // 2029-01-01
            assert_eq!(days_left(made.der(), now), Some(days));
            for end in 0..made.der().len().min(300) {
                assert_eq!(days_left(&made.der()[..end], now), None, "{end}");
            }
        }
    }
}
