//! Finds the name that was most likely meant by one that is not known: "did you mean".

/// Names that are compared at the most.
pub(crate) const MAX_NAMES: usize = 2_000;

/// The known word that a misspelt one most likely means.
pub(crate) fn nearest<'w>(word: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let length = word.chars().count();
    let limit = if length < 3 { 0 } else { (length / 3).max(1) };
    known
        .into_iter()
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= limit)
        .map(|candidate| (strsim::osa_distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// The id closest to a fragment: the same in another case, or a misspelling away.
pub fn nearest_id<'i>(fragment: &str, ids: impl Iterator<Item = &'i str>) -> Option<&'i str> {
    let ids: Vec<&str> = ids.filter(|id| !id.is_empty()).take(MAX_NAMES).collect();
    let same = ids.iter().find(|id| id.eq_ignore_ascii_case(fragment)).copied();
    same.or_else(|| misspelt(fragment, ids))
}

/// The name that a misspelt one most likely means. Names that differ in their digits alone are others of a series.
pub(crate) fn misspelt<'n>(wanted: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let stem = wanted.rsplit_once('.').map_or(wanted, |(stem, _)| stem).chars().count();
    let limit = if stem < 3 { 0 } else { (stem / 4).clamp(1, 3) };
    let length = wanted.chars().count();
    let without_digits = |name: &str| name.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    let wanted_letters = without_digits(wanted);
    names
        .into_iter()
        .filter(|name| name.chars().count().abs_diff(length) <= limit)
        .map(|name| (strsim::osa_distance(wanted, name), name))
        .filter(|(distance, name)| *distance <= limit && without_digits(name) != wanted_letters)
        .min()
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::misspelt;

    #[test]
    fn a_slip_is_recognised_and_another_name_is_not_taken_for_one() {
        assert_eq!(misspelt("pricng", ["pricing", "prices"]), Some("pricing"));
        assert_eq!(misspelt("teem.webp", ["team.webp", "hero.webp"]), Some("team.webp"));
        assert_eq!(misspelt("index-19", ["index-1", "index-18"]), None);
        assert_eq!(misspelt("fn.log10f32.html", ["fn.cosf32.html"]), None);
        assert_eq!(misspelt("a", ["b"]), None);
    }
}
