//! A release: the objects that a site is made of, under their keys, with the headers that they answer with.

pub mod manifest;
pub(crate) mod objects;
pub(crate) mod source;
