use std::borrow::Cow;

use bytes::Bytes;
use memchr::memchr2_iter;

/// The headers of a message, as the JSON array of pairs that a file has. Few readers look at them, so that they are
/// only read where one does.
#[derive(Clone, PartialEq, Eq)]
pub struct Headers(Bytes);

/// A name and its value.
type Pair<'a> = (Cow<'a, str>, Cow<'a, str>);

impl Headers {
    /// Headers by the JSON of a file whose hash is the manifest's. It is not read here: a segment enters the manifest only
    /// after its messages were read back and compared.
    pub(crate) fn of_checked_file(json: Bytes) -> Self {
        Self(json)
    }

    /// The JSON array of pairs.
    pub fn json(&self) -> Bytes {
        self.0.clone()
    }

    /// Names and values; a name may come more than once.
    pub fn pairs(&self) -> Vec<Pair<'_>> {
        let mut pairs = Vec::new();
        let text = str::from_utf8(&self.0).unwrap_or_default();
        let add = |name, value| pairs.push((Cow::Borrowed(name), Cow::Borrowed(value)));
        if plain(text, add).is_some() {
            return pairs;
        }
        let read = serde_json::from_str::<Vec<(String, String)>>(text).unwrap_or_default();
        read.into_iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect()
    }

    /// The first value of a header.
    pub fn get(&self, name: &str) -> Option<Cow<'_, str>> {
        let mut pairs = self.pairs().into_iter();
        pairs.find(|(it, _)| it == name).map(|(_, value)| value)
    }
}

impl Default for Headers {
    fn default() -> Self {
        Self(Bytes::from_static(b"[]"))
    }
}

impl FromIterator<(String, String)> for Headers {
    fn from_iter<T: IntoIterator<Item = (String, String)>>(pairs: T) -> Self {
        let pairs: Vec<_> = pairs.into_iter().collect();
        // Texts always become JSON.
        serde_json::to_vec(&pairs).map_or_else(|_| Self::default(), |json| Self(json.into()))
    }
}

impl std::fmt::Debug for Headers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.0))
    }
}

/// Reads the pairs of a JSON array in which no text has an escape, several times as fast as a JSON parser: every
/// quotation mark begins or ends a text. `None` for any other JSON.
fn plain<'a>(json: &'a str, mut each: impl FnMut(&'a str, &'a str)) -> Option<()> {
    if json == "[]" {
        return Some(());
    }
    let mut marks = memchr2_iter(b'"', b'\\', json.as_bytes());
    let mut mark = || marks.next().filter(|at| json.as_bytes()[*at] == b'"');
    let (mut end, mut opening) = (0, "[[");
    loop {
        let [name, name_end, value, value_end] = [mark()?, mark()?, mark()?, mark()?];
        if json.get(end..name)? != opening || json.get(name_end + 1..value)? != "," {
            return None;
        }
        each(
            json.get(name + 1..name_end)?,
            json.get(value + 1..value_end)?,
        );
        (end, opening) = (value_end + 1, "],[");
        if json.get(end..)? == "]]" {
            return Some(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Headers, plain};

    fn of(given: &[(&str, &str)]) -> Headers {
        let pairs = given.iter();
        pairs
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect()
    }

    #[test]
    fn headers_are_read_alike_with_and_without_escapes() {
        let unescaped = [
            ("Name", ""),
            ("", "],["),
            ("a", "b,[c]"),
            ("\u{0dc3}", "a:b"),
        ];
        let escaped = [("\"", "\\"), ("a", "\",\""), ("\n", "\"],[\"")];
        for (given, is_plain) in [(&unescaped[..], true), (&escaped, false), (&[], true)] {
            let headers = of(given);
            let json = str::from_utf8(&headers.0).unwrap();
            assert_eq!(plain(json, |_, _| ()).is_some(), is_plain, "{json}");
            let pairs = headers.pairs();
            let pairs: Vec<_> = pairs
                .iter()
                .map(|(name, value)| (&**name, &**value))
                .collect();
            assert_eq!(pairs, given);
        }
    }

    #[test]
    fn what_is_no_array_of_pairs_has_none() {
        for odd in ["", "[", "[[]]", "[[\"a\"]]", "[[\"a\",\"b\",\"c\"]]", "{}"] {
            let headers = Headers::of_checked_file(odd.into());
            assert_eq!(headers.pairs(), [], "{odd}");
        }
    }

    #[test]
    fn the_first_value_of_a_name_is_found() {
        let headers = of(&[("a", "1"), ("b", "2"), ("b", "3")]);
        assert_eq!(headers.get("b").as_deref(), Some("2"));
        assert_eq!(headers.get("c"), None);
    }
}
