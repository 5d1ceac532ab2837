//! Keys of names, and perfect hash tables of names: one lookup decides whether a name is known.

/// Maximum length of a name in a key.
pub const MAX_KEY_LENGTH: usize = 16;

/// Returns the key of a name: its bytes in lower case, the first one lowest; 0 if it is longer than
/// [`MAX_KEY_LENGTH`], or has a NUL, which parsers replace (HTML standard, 13.2.5.8) and no known name has.
#[must_use]
pub const fn key(name: &[u8]) -> u128 {
    let mut key = 0;
    let mut at = name.len();
    if at > MAX_KEY_LENGTH {
        return 0;
    }
    while at > 0 {
        at -= 1;
        if name[at] == 0 {
            return 0;
        }
        key = key << 8 | name[at].to_ascii_lowercase() as u128;
    }
    key
}

/// A perfect hash table of fewer than `NAMES` names by key: no two names share one of the `SLOTS`, a power of two.
pub struct NameTable<T, const NAMES: usize, const SLOTS: usize> {
    factor: u64,
    /// Index of the name for each slot; 0 for unused slots.
    indexes: [u8; SLOTS],
    keys: [u128; NAMES],
    values: [T; NAMES],
}

impl<T: Copy, const NAMES: usize, const SLOTS: usize> NameTable<T, NAMES, SLOTS> {
    /// Builds the table, at compile time, by trying factors. Names that are longer than [`MAX_KEY_LENGTH`] are left
    /// out.
    #[must_use]
    pub const fn new(names: &[(&str, T)], other: T) -> Self {
        let mut table = NameTable {
            factor: 0x9e37_79b9_7f4a_7c15,
            indexes: [0; SLOTS],
            keys: [0; NAMES],
            values: [other; NAMES],
        };
        // Index 0 means no name.
        let mut count = 1;
        let mut next = 0;
        while next < names.len() {
            let (name, value) = names[next];
            next += 1;
            let key = key(name.as_bytes());
            if key != 0 {
                table.keys[count] = key;
                table.values[count] = value;
                count += 1;
            }
        }
        while !table.assign_slots(count) {
            table.factor = table.factor.wrapping_mul(0x5851_f42d_4c95_7f2d);
        }
        table
    }

    /// Assigns a slot to each name. Returns false if two names share one.
    const fn assign_slots(&mut self, count: usize) -> bool {
        self.indexes = [0; SLOTS];
        let mut index = 1;
        while index < count {
            let slot = Self::slot(self.keys[index], self.factor);
            if self.indexes[slot] != 0 {
                return false;
            }
            self.indexes[slot] = index as u8;
            index += 1;
        }
        true
    }

    /// Returns the value of a name by its key.
    #[inline]
    #[must_use]
    pub fn get(&self, key: u128) -> T {
        let index = usize::from(self.indexes[Self::slot(key, self.factor)]);
        self.values[if self.keys[index] == key { index } else { 0 }]
    }

    /// Returns the slot of a name.
    const fn slot(key: u128, factor: u64) -> usize {
        let folded = key as u64 ^ ((key >> 64) as u64).rotate_left(29);
        (folded.wrapping_mul(factor) >> (u64::BITS - SLOTS.trailing_zeros())) as usize
    }
}
