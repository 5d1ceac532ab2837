#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! [`lexer`] has the tokens, [`tree`] the tree, and [`selectors`] match its elements. [`css`], [`srcset`] and [`refresh`]
//! find the URLs in values. The others are parts of the lexer that faster readers share.

pub mod attribute_name;
pub mod attributes;
pub mod css;
pub mod element;
pub mod element_table;
pub mod id_attribute;
pub mod key;
pub mod lexer;
pub mod raw_text;
pub mod refresh;
pub mod scan;
pub mod selectors;
pub mod shadow_mode;
pub mod srcset;
pub mod tree;
pub mod url_attribute;
