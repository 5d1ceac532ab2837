#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! [`lexer`] has the tokens, [`tree`] the tree, and [`selectors`] match its elements. The others are parts of the lexer
//! that faster readers share.

pub mod attributes;
pub mod element;
pub mod key;
pub mod lexer;
pub mod raw_text;
pub mod scan;
pub mod selectors;
pub mod shadow_mode;
pub mod tree;
