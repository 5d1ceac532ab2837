//! The stack of open elements, in which an end tag finds its element without a walk through all of them.

use std::collections::HashMap;

/// The open elements of a page, the innermost last, each with a value.
pub(crate) struct OpenElements<T> {
    stack: Vec<(Vec<u8>, T)>,
    /// The places of the elements of each name.
    by_name: HashMap<Vec<u8>, Vec<usize>>,
}

impl<T> Default for OpenElements<T> {
    fn default() -> Self {
        OpenElements { stack: Vec::new(), by_name: HashMap::new() }
    }
}

impl<T> OpenElements<T> {
    /// Number of open elements.
    pub fn len(&self) -> usize {
        self.stack.len()
    }

    /// Opens an element. Its name is in lower case.
    pub fn push(&mut self, name: Vec<u8>, value: T) {
        self.by_name.entry(name.clone()).or_default().push(self.stack.len());
        self.stack.push((name, value));
    }

    /// Returns the place of the innermost element of a name.
    pub fn innermost(&self, name: &[u8]) -> Option<usize> {
        self.by_name.get(name).and_then(|places| places.last().copied())
    }

    /// Closes the elements from this place on, the innermost first.
    pub fn close(&mut self, place: usize) -> impl Iterator<Item = (Vec<u8>, T)> {
        let by_name = &mut self.by_name;
        self.stack.drain(place..).rev().inspect(|(name, _)| {
            by_name.get_mut(name).and_then(Vec::pop);
        })
    }
}
