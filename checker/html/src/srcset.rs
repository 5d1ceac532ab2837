//! Finds the URLs in attributes that have several: `srcset` and `imagesrcset`, by the HTML standard's algorithm
//! (4.8.4.3.10), and lists such as `ping`.

use std::ops::Range;

/// Returns the URLs of a `srcset` as ranges. Commas inside a URL belong to it; a comma at its end ends the candidate.
pub fn urls(srcset: &str) -> Vec<Range<usize>> {
    let bytes = srcset.as_bytes();
    let mut urls = Vec::new();
    let mut at = 0;
    loop {
        while at < bytes.len() && (bytes[at].is_ascii_whitespace() || bytes[at] == b',') {
            at += 1;
        }
        if at == bytes.len() {
            return urls;
        }
        let start = at;
        while at < bytes.len() && !bytes[at].is_ascii_whitespace() {
            at += 1;
        }
        let url = &bytes[start..at];
        let commas = url.iter().rev().take_while(|&&b| b == b',').count();
        urls.push(start..at - commas);
        if commas == 0 {
            at = skip_descriptors(bytes, at);
        }
    }
}

/// Returns the words of a list that is separated by white space, such as `ping`.
pub fn words(list: &str) -> Vec<Range<usize>> {
    let offset = |word: &str| word.as_ptr() as usize - list.as_ptr() as usize;
    list.split_ascii_whitespace().map(|word| offset(word)..offset(word) + word.len()).collect()
}

/// Returns the end of a candidate's descriptors: the next comma outside parentheses.
fn skip_descriptors(bytes: &[u8], mut at: usize) -> usize {
    let mut in_parens = false;
    while at < bytes.len() {
        match bytes[at] {
            b'(' => in_parens = true,
            b')' => in_parens = false,
            b',' if !in_parens => return at + 1,
            _ => {}
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::{urls, words};

    fn found(srcset: &str) -> Vec<&str> {
        urls(srcset).into_iter().map(|range| &srcset[range]).collect()
    }

    #[test]
    fn commas_inside_a_url_belong_to_it() {
        assert_eq!(found("a,b.png 1x, c.png 2x"), ["a,b.png", "c.png"]);
        assert_eq!(found("data:image/png;base64,AAAA 1x,b.png 2x"), ["data:image/png;base64,AAAA", "b.png"]);
    }

    #[test]
    fn finds_the_words_of_a_list() {
        assert_eq!(words(" /a  /b "), [1..3, 5..7]);
    }

    #[test]
    fn a_trailing_comma_ends_the_candidate() {
        assert_eq!(found("a.png, b.png"), ["a.png", "b.png"]);
        assert_eq!(found("a.png,,, b.png 2x"), ["a.png", "b.png"]);
        assert_eq!(found(" , "), [""; 0]);
    }

    #[test]
    fn descriptors_may_contain_commas_in_parentheses() {
        assert_eq!(found("a.png x(1,2) 3w, b.png"), ["a.png", "b.png"]);
    }
}
