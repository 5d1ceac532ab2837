//! A release: the objects that a site is made of, under their keys, with the headers that they answer with. What
//! is at a target never enters here.

pub mod lineage;
pub mod manifest;
pub(crate) mod objects;
pub(crate) mod source;
