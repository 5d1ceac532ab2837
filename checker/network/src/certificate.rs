//! Reads when the certificate of a server expires.

use std::time::{SystemTime, UNIX_EPOCH};

use x509_cert::certificate::{CertificateInner, Raw};
use x509_cert::der::Decode;

/// Returns the days until a certificate (X.509 in DER) expires, negative if it has expired; `None` if it cannot
/// be read.
pub(crate) fn days_left(certificate: &[u8], now: SystemTime) -> Option<i64> {
    // `Raw` reads certificates too that break rules of RFC 5280 which have nothing to do with their dates.
    let certificate = CertificateInner::<Raw>::from_der(certificate).ok()?;
    let end = certificate.tbs_certificate().validity().not_after.to_unix_duration();
    let seconds = |time: u64| i64::try_from(time).ok();
    let now = now.duration_since(UNIX_EPOCH).ok()?;
    Some((seconds(end.as_secs())? - seconds(now.as_secs())?).div_euclid(24 * 60 * 60))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::time::{Duration, UNIX_EPOCH};

    use rcgen::{CertificateParams, KeyPair, date_time_ymd};

    use super::days_left;

    #[test]
    fn returns_the_days_until_a_certificate_expires() {
        let now = UNIX_EPOCH + Duration::from_hours(21_550 * 24); // 2029-01-01
        for (year, days) in [(2028, -366), (2030, 365), (2049, 7_305), (2050, 7_670), (2060, 365 + 10_957)] {
            let mut params = CertificateParams::new(["a.example".to_owned()]).unwrap();
            params.not_after = date_time_ymd(year, 1, 1);
            let made = params.self_signed(&KeyPair::generate().unwrap()).unwrap();
            assert_eq!(days_left(made.der(), now), Some(days), "{year}");
            for end in 0..made.der().len().min(300) {
                assert_eq!(days_left(&made.der()[..end], now), None, "{end}");
            }
        }
    }
}
