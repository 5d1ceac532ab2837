#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! [`tokenizer`] has the tokens, [`tag_reader`] the tags without a tree, [`nesting`] its open elements as
//! events, [`tree`] the tree, and [`selectors`] match its
//! elements. The others are parts of the tokenizer.

pub mod attributes;
pub mod element;
pub mod key;
pub mod nesting;
pub mod raw_text;
pub mod scan;
pub mod selectors;
pub mod shadow_mode;
pub mod tag_reader;
pub mod tokenizer;
pub mod tree;
