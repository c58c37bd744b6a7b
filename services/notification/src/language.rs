//! The language of a reader's mails. Sentences come from the web app's texts, by their codes.

use std::{
    collections::{BTreeMap, HashMap},
    sync::LazyLock,
};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

type Sentences = HashMap<String, String>;

static SI: LazyLock<Sentences> =
    LazyLock::new(|| read(include_str!("../../../web/src/texts/si/server.json")));
static TA: LazyLock<Sentences> =
    LazyLock::new(|| read(include_str!("../../../web/src/texts/ta/server.json")));

/// The languages of the pages: English, Sinhala, Tamil.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = MailLanguage)]
pub enum Language {
    #[default]
    En,
    Si,
    Ta,
}

/// The words around a mail's sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// Before the reader's name.
    pub hello: &'static str,
    /// The name of a reader without one.
    pub nameless: &'static str,
    pub restaurant: &'static str,
    /// There are more orders than the mail is about.
    pub more: &'static str,
    /// Before the address of the page.
    pub see: &'static str,
    /// The words of the link.
    pub link: &'static str,
}

impl Language {
    /// As it is stored.
    pub const fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Si => "si",
            Self::Ta => "ta",
        }
    }

    /// A stored language; English of any other text.
    pub fn read(code: &str) -> Self {
        match code {
            "si" => Self::Si,
            "ta" => Self::Ta,
            _ => Self::En,
        }
    }

    /// The sentence of a code with its values; `None` in English, and of a code without a translation.
    pub fn say(self, code: &str, params: &BTreeMap<&'static str, String>) -> Option<String> {
        let sentences = match self {
            Self::En => return None,
            Self::Si => &*SI,
            Self::Ta => &*TA,
        };
        let mut said = String::new();
        let mut rest = sentences.get(code)?.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}')?;
            said.push_str(before);
            said.push_str(params.get(name)?);
            rest = after;
        }
        said.push_str(rest);
        Some(said)
    }

    pub const fn words(self) -> Words {
        match self {
            Self::En => Words {
                hello: "Hello",
                nameless: "there",
                restaurant: "Restaurant",
                more: "There are more orders of the same checkout. All of them are in your list.",
                see: "See it here",
                link: "See it on Tiffin",
            },
            Self::Si => Words {
                hello: "ආයුබෝවන්",
                nameless: "ඔබට",
                restaurant: "අවන්හල",
                more: "එම බිලේ තවත් ඇණවුම් ඇත. ඒ සියල්ල ඔබේ ලැයිස්තුවේ ඇත.",
                see: "මෙතැනින් බලන්න",
                link: "Tiffin හි බලන්න",
            },
            Self::Ta => Words {
                hello: "வணக்கம்",
                nameless: "உங்களுக்கு",
                restaurant: "உணவகம்",
                more: "அதே பில்லில் மேலும் ஆர்டர்கள் உள்ளன. அவை அனைத்தும் உங்கள் பட்டியலில் உள்ளன.",
                see: "இங்கே பார்க்கவும்",
                link: "Tiffin-இல் பார்க்கவும்",
            },
        }
    }
}

/// The texts of a file, which is a part of this program and has been tested.
fn read(file: &str) -> Sentences {
    serde_json::from_str(file).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::Language;
    use crate::text;

    #[test]
    fn every_text_and_title_is_there_in_every_language() {
        let values = ["order", "quantity", "dish", "dishes", "amount"];
        let params: BTreeMap<_, _> = values.map(|name| (name, format!("<{name}>"))).into();
        for language in [Language::Si, Language::Ta] {
            for code in text::codes() {
                let said = language.say(code, &params);
                let said = said.unwrap_or_else(|| panic!("{code} in {language:?}"));
                assert!(
                    said.contains("<order>") && !said.contains('{'),
                    "{code}: {said}"
                );
            }
        }
    }

    #[test]
    fn a_text_without_a_translation_or_a_value_is_left_to_english() {
        let params = BTreeMap::from([("order", "ORD-1".to_owned())]);
        assert_eq!(Language::Si.say("notification.gone", &params), None);
        assert_eq!(Language::Ta.say("notification.refunded", &params), None);
        assert_eq!(Language::En.say("notification.delivered", &params), None);
        for language in [Language::En, Language::Si, Language::Ta] {
            assert_eq!(Language::read(language.code()), language);
        }
    }
}
