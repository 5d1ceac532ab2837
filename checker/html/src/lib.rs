#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! [`tokenizer`] has the tokens, [`tag_reader`] the tags without a tree and what [`templates`] make inert, [`nesting`] the
//! elements as events, [`misnesting`] the faults in it, [`tree`] the tree, and [`selectors`] match its elements. [`css`], [`srcset`] and [`refresh`] find
//! the URLs in values. The others are parts of the tokenizer.

pub mod attribute_name;
pub mod attributes;
pub mod css;
pub mod element;
pub mod element_table;
pub mod key;
pub mod misnesting;
pub mod nesting;
pub mod nesting_filter;
pub mod raw_text;
pub mod refresh;
pub mod scan;
pub mod selectors;
pub mod srcset;
pub mod start_rules;
pub mod syntax;
pub mod tag_reader;
pub mod templates;
pub mod tokenizer;
pub mod tree;
pub mod url_attribute;
