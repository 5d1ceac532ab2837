//! Recognizes addresses of the public internet, by IANA's registries of special-purpose addresses (RFC 6890).
//! Links in untrusted pages must not make a build machine send requests to its own network.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::IpNet;

/// Private addresses that requests may be sent to.
#[derive(Clone, Debug, Default)]
pub struct AllowedAddresses(pub Vec<IpNet>);

impl AllowedAddresses {
    /// Whether requests to an address are allowed: it is public or in the list. An IPv6 form of an IPv4 address
    /// counts as that IPv4 address.
    pub fn is_allowed(&self, address: IpAddr) -> bool {
        let address = embedded_ipv4(address);
        is_public(address) || self.0.iter().any(|net| net.contains(&address))
    }
}

/// Converts the IPv6 forms of an IPv4 address: mapped (RFC 4291), translated (RFC 6052), 6to4 (RFC 3056).
fn embedded_ipv4(address: IpAddr) -> IpAddr {
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

/// Whether an address is public.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(four) => is_public_v4(four),
        IpAddr::V6(six) => is_public_v6(six),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    // Azure's machines reach their host at this address, which also serves credentials.
    let is_of_platform = address == Ipv4Addr::new(168, 63, 129, 16);
    !is_of_platform
        && !matches!(
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
    // All assigned addresses are in 2000::/3.
    let is_assigned = first & 0xe000 == 0x2000;
    let is_special = matches!((first, second), (0x2001, 0..=0x1ff | 0xdb8) | (0x3fff, 0..=0xfff));
    is_assigned && !is_special
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::AllowedAddresses;

    #[test]
    fn allows_only_public_addresses_in_any_notation() {
        let none = AllowedAddresses::default();
        for refused in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "127.8.9.10",
            "168.63.129.16",
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
            assert!(!none.is_allowed(refused.parse().unwrap()), "{refused}");
        }
        for public in [
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
            assert!(none.is_allowed(public.parse().unwrap()), "{public}");
        }
    }

    #[test]
    fn allows_listed_private_addresses_only() {
        let some = AllowedAddresses(vec!["127.0.0.0/30".parse().unwrap(), "fd00::/8".parse().unwrap()]);
        for (address, may) in [
            ("127.0.0.1", true),
            ("::ffff:127.0.0.2", true),
            ("127.0.0.4", false),
            ("fd12::1", true),
            ("fe80::1", false),
        ] {
            assert_eq!(some.is_allowed(address.parse().unwrap()), may, "{address}");
        }
    }
}
