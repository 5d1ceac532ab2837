//! Plants edits of blocks at random, and checks that the review lists exactly these.

use std::collections::HashSet;

use sitegate_check::{Contract, collect_export};
use sitegate_review::{CauseKind, Review, ReviewOptions, Texts};

use crate::folders::write;
use crate::sample::{rounds, seed};

/// Number of seeds with all tests.
const SEEDS: usize = 1000;

/// Number of pages, and of blocks of each.
const PAGES: usize = 8;
const BLOCKS: usize = 30;

/// A small generator of pseudorandom numbers (`SplitMix64`).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut number = self.0;
        number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((number ^ (number >> 31)) % limit as u64) as usize
    }
}

/// The blocks of a page: its own, and those that all pages share.
struct Site {
    own: Vec<Vec<String>>,
    shared: Vec<String>,
}

impl Site {
    fn new(random: &mut Random) -> Site {
        let words = ["alpha", "beta", "gamma", "delta", "omega", "sigma", "kappa", "copy", "note"];
        let mut sentence = |page: usize, block: usize| {
            // Some blocks are equal on all pages, and several times on one.
            if random.below(6) == 0 {
                return "Copy".to_owned();
            }
            let text: Vec<&str> =
                (0..3 + random.below(8)).map(|_| words[random.below(words.len())]).collect();
            format!("Block {block} of page {page}: {}", text.join(" "))
        };
        let own = (0..PAGES).map(|page| (0..BLOCKS).map(|block| sentence(page, block)).collect()).collect();
        let shared = (0..4).map(|block| format!("Shared block {block} of the template")).collect();
        Site { own, shared }
    }

    fn write(&self, folder: &std::path::Path, side: &str) {
        for (page, own) in self.own.iter().enumerate() {
            let block =
                |text: &String| if text.is_empty() { String::new() } else { format!("<p>{text}</p>") };
            let main: String = own.iter().map(block).collect();
            let footer: String = self.shared.iter().map(block).collect();
            let text = format!(
                "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Page {page}</title><main>{main}</main>\
                 <footer>{footer}</footer>"
            );
            write(folder, &format!("{side}/{page}/index.html"), &text);
        }
    }
}

/// Plants edits, and returns their number.
fn plant(site: &mut Site, random: &mut Random) -> usize {
    let wanted = 1 + random.below(10);
    let mut used = HashSet::new();
    let mut planted = 0;
    for edit in 0..wanted {
        if random.below(5) == 0 {
            let block = random.below(site.shared.len());
            if used.insert((usize::MAX, block)) {
                site.shared[block] += &format!(" with edit {edit}");
                planted += 1;
            }
            continue;
        }
        let (page, block) = (random.below(PAGES), random.below(BLOCKS));
        // Edits next to each other could be one: a reader cannot distinguish them.
        let is_free = (block.saturating_sub(1)..=block + 1).all(|near| !used.contains(&(page, near)));
        let text = &mut site.own[page][block];
        if !is_free || text == "Copy" {
            continue;
        }
        used.insert((page, block));
        *text = match random.below(4) {
            0 => String::new(),
            1 => format!("{text}</p><p>An added block by edit {edit}"),
            2 => format!("A new beginning by edit {edit}, {text}"),
            _ => text.replacen(": ", &format!(": edited by {edit} "), 1),
        };
        planted += 1;
    }
    planted
}

#[test]
fn planted_edits_are_the_causes() {
    let start = seed().unwrap_or(0);
    for seed in (0..rounds(SEEDS) as u64).map(|round| start.wrapping_add(round)) {
        let mut random = Random(seed);
        let folder = tempfile::tempdir().unwrap();
        let mut site = Site::new(&mut random);
        site.write(folder.path(), "base");
        let planted = plant(&mut site, &mut random);
        site.write(folder.path(), "new");
        let texts = Texts::default();
        let contract = Contract::defaults();
        let facts =
            ["base", "new"].map(|side| collect_export(&folder.path().join(side), &contract, &texts).unwrap());
        let [base, new] = &facts;
        let review = Review::compare(base, new, None, &texts.freeze(), &ReviewOptions::default());
        let titles: Vec<_> = review.causes.iter().map(|cause| (&cause.title, &cause.texts)).collect();
        assert_eq!(review.causes.len(), planted, "seed {seed}: {titles:#?}");
        assert!(review.causes.iter().all(|cause| cause.kind == CauseKind::Text), "seed {seed}");
        assert!(review.noise.is_empty(), "seed {seed}");
    }
}
