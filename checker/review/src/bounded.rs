//! Reads lists of a limited number of entries, so that a small file cannot take much memory.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess, Visitor};
use sitegate_base::plural::thousands;

/// Begins the message about a list with too many entries.
pub(crate) const TOO_MANY: &str = "too many entries: ";

/// Returns the message about a list with too many entries.
pub(crate) fn too_many(name: &str, most: usize) -> String {
    format!("{TOO_MANY}{} {name}", thousands(most))
}

/// Reads a list of at most `MOST` entries, so that a small file cannot take much memory.
pub(crate) fn at_most<'de, const MOST: usize, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    struct AtMost<T, const MOST: usize>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>, const MOST: usize> Visitor<'de> for AtMost<T, MOST> {
        type Value = Vec<T>;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("a list")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<T>, A::Error> {
            let mut all = Vec::new();
            while let Some(next) = seq.next_element()? {
                if all.len() == MOST {
                    return Err(serde::de::Error::custom(too_many("entries of a list", MOST)));
                }
                all.push(next);
            }
            Ok(all)
        }
    }

    deserializer.deserialize_seq(AtMost::<T, MOST>(PhantomData))
}
