//! Which addresses lie on the public internet, by IANA's registries of special-purpose addresses (RFC 6890): pages that
//! strangers wrote must not have a build machine ask its own network.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::IpNet;

/// Addresses that may be asked although they are not public.
#[derive(Clone, Debug, Default)]
pub struct AllowedAddresses(pub Vec<IpNet>);

impl AllowedAddresses {
    /// Whether an address may be asked: it is public, or allowed. One that is written as IPv6 and leads to IPv4 is judged by
    /// where it leads.
    pub fn may_ask(&self, address: IpAddr) -> bool {
        let address = leads_to(address);
        is_public(address) || self.0.iter().any(|net| net.contains(&address))
    }
}

/// The IPv4 address that an IPv6 address is another form of: mapped (RFC 4291), translated (RFC 6052), 6to4 (RFC 3056).
fn leads_to(address: IpAddr) -> IpAddr {
    let IpAddr::V6(six) = address else { return address };
    let last = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        IpAddr::V4(Ipv4Addr::new(a, b, c, d))
    };
    match six.segments() {
        [0, 0, 0, 0, 0, 0xffff, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..] => last(high, low),
        _ => address,
    }
}

/// Whether an address is one of the public internet's.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(four) => is_public_v4(four),
        IpAddr::V6(six) => is_public_v6(six),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    !matches!(
        (a, b, c),
        (0 | 10 | 127 | 224.., ..)
            | (100, 64..=127, _)
            | (169, 254, _)
            | (172, 16..=31, _)
            | (192, 0, 0 | 2)
            | (192, 88, 99)
            | (192, 168, _)
            | (198, 18..=19, _)
            | (198, 51, 100)
            | (203, 0, 113)
    )
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    // All that is given out lies in 2000::/3.
    let is_given_out = first & 0xe000 == 0x2000;
    let is_special = matches!((first, second), (0x2001, 0..=0x1ff | 0xdb8) | (0x3fff, 0..=0xfff));
    is_given_out && !is_special
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::AllowedAddresses;

    #[test]
    fn only_public_addresses_are_asked_however_they_are_written() {
        let none = AllowedAddresses::default();
        for refused in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "127.8.9.10",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!none.may_ask(refused.parse().unwrap()), "{refused}");
        }
        for asked in [
            "1.1.1.1",
            "100.63.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "198.20.0.1",
            "223.255.255.255",
            "2606:4700::1111",
            "2a00::1",
            "2002:808:808::1",
            "64:ff9b::808:808",
        ] {
            assert!(none.may_ask(asked.parse().unwrap()), "{asked}");
        }
    }

    #[test]
    fn what_is_allowed_may_be_asked_and_nothing_beside_it() {
        let some = AllowedAddresses(vec!["127.0.0.0/30".parse().unwrap(), "fd00::/8".parse().unwrap()]);
        for (address, may) in [
            ("127.0.0.1", true),
            ("::ffff:127.0.0.2", true),
            ("127.0.0.4", false),
            ("fd12::1", true),
            ("fe80::1", false),
        ] {
            assert_eq!(some.may_ask(address.parse().unwrap()), may, "{address}");
        }
    }
}
