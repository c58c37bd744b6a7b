/// A choice of messages by their subject. The default takes all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter(Vec<Pattern>);

/// The tokens of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pattern(Vec<Token>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// `*`: any one token.
    Any,
    /// `>`: one token or more, at the end.
    Rest,
    Word(String),
}

/// A text that is no pattern of subjects.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is no pattern of subjects: tokens are parted by dots, and > is the last one")]
pub struct BadPattern(String);

impl Filter {
    /// Takes every message.
    pub fn all() -> Self {
        Self::default()
    }

    /// Takes messages whose subject matches one of these patterns of NATS, such as `tiffin.order.*.*`. Without a
    /// pattern it takes all.
    pub fn of<T: AsRef<str>>(patterns: impl IntoIterator<Item = T>) -> Result<Self, BadPattern> {
        let patterns = patterns.into_iter().map(|it| Pattern::parse(it.as_ref()));
        patterns.collect::<Result<_, _>>().map(Self)
    }

    /// True if it takes messages with this subject.
    pub fn matches(&self, subject: &str) -> bool {
        self.0.is_empty() || self.0.iter().any(|pattern| pattern.matches(subject))
    }

    pub(crate) fn takes_all(&self) -> bool {
        self.0.is_empty()
    }

    /// True if it may take messages of which `has` knows the subjects' words.
    pub(crate) fn may_match(&self, has: impl Fn(&str) -> bool) -> bool {
        let may_match = |pattern: &Pattern| {
            pattern.0.iter().all(|token| match token {
                Token::Word(word) => has(word),
                Token::Any | Token::Rest => true,
            })
        };
        self.0.is_empty() || self.0.iter().any(may_match)
    }
}

impl Pattern {
    fn parse(text: &str) -> Result<Self, BadPattern> {
        let tokens = text.split('.').map(|token| match token {
            "*" => Token::Any,
            ">" => Token::Rest,
            word => Token::Word(word.to_owned()),
        });
        let tokens: Vec<Token> = tokens.collect();
        let is_bad = |(at, token): (usize, &Token)| match token {
            Token::Any => false,
            Token::Rest => at + 1 < tokens.len(),
            Token::Word(word) => word.is_empty() || word.contains(char::is_whitespace),
        };
        if tokens.iter().enumerate().any(is_bad) {
            return Err(BadPattern(text.to_owned()));
        }
        Ok(Self(tokens))
    }

    fn matches(&self, subject: &str) -> bool {
        let mut words = subject.split('.');
        for token in &self.0 {
            let word = words.next();
            match token {
                Token::Rest => return word.is_some(),
                Token::Any if word.is_some() => {}
                Token::Word(wanted) if word == Some(wanted) => {}
                Token::Any | Token::Word(_) => return false,
            }
        }
        words.next().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::Filter;

    #[test]
    fn patterns_match_as_the_brokers_do() {
        for (pattern, subject, is_match) in [
            ("tiffin.order.*.*", "tiffin.order.1.placed", true),
            ("tiffin.order.*.*", "tiffin.order.1", false),
            ("tiffin.order.*.*", "tiffin.order.1.placed.v2", false),
            ("tiffin.order.*.placed", "tiffin.order.1.cancelled", false),
            ("tiffin.order.1.>", "tiffin.order.1.placed", true),
            ("tiffin.order.1.>", "tiffin.order.1", false),
            (">", "a", true),
            ("a.>", "b.c", false),
        ] {
            let filter = Filter::of([pattern]).unwrap();
            assert_eq!(filter.matches(subject), is_match, "{pattern} {subject}");
        }
    }

    #[test]
    fn several_patterns_take_what_one_of_them_takes_and_none_takes_all() {
        let filter = Filter::of(["a.*", "b.>"]).unwrap();
        assert!(filter.matches("a.1") && filter.matches("b.1.2") && !filter.matches("c.1"));
        assert!(Filter::all().matches("anything"));
    }

    #[test]
    fn what_the_broker_refuses_is_no_pattern() {
        for bad in ["", "a..b", "a.>.b", "a. b", ".a"] {
            assert!(Filter::of([bad]).is_err(), "{bad}");
        }
    }
}
