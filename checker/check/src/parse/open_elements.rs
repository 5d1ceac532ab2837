//! A stack of open elements that finds the element of an end tag without a search.

use std::collections::HashMap;

/// The open elements of a page, the innermost last, each with a value.
pub(crate) struct OpenElements<T> {
    stack: Vec<(Vec<u8>, T)>,
    /// Indexes of the elements by name.
    by_name: HashMap<Vec<u8>, Vec<usize>>,
}

impl<T> Default for OpenElements<T> {
    fn default() -> Self {
        OpenElements { stack: Vec::new(), by_name: HashMap::new() }
    }
}

impl<T> OpenElements<T> {
    /// Returns the number of open elements.
    pub fn len(&self) -> usize {
        self.stack.len()
    }

    /// Opens an element. Its name is in lower case.
    pub fn push(&mut self, name: Vec<u8>, value: T) {
        self.by_name.entry(name.clone()).or_default().push(self.stack.len());
        self.stack.push((name, value));
    }

    /// Returns the index of the innermost element with a name.
    pub fn innermost(&self, name: &[u8]) -> Option<usize> {
        self.by_name.get(name).and_then(|indexes| indexes.last().copied())
    }

    /// Closes the elements from this index on, the innermost first.
    pub fn close(&mut self, index: usize) -> impl Iterator<Item = (Vec<u8>, T)> {
        let by_name = &mut self.by_name;
        self.stack.drain(index..).rev().inspect(|(name, _)| {
            by_name.get_mut(name).and_then(Vec::pop);
        })
    }
}
