//! The names of personal fields, for what no type describes. They follow from the marks of all types: a name is
//! personal if it ends like the last word of a marked field, as `ownerName` and `owner_name` end like `firstName`.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use tiffin_events::personal::{self, Category};

/// Personal fields of tables and requests that travel in no event, so that no mark names them.
const BESIDE_EVENTS: [(&str, Category); 6] = [
    ("drNic", Category::Name),
    ("profilePicture", Category::Picture),
    ("message", Category::Text),
    ("comment", Category::Text),
    ("latitude", Category::Place),
    ("longitude", Category::Place),
];

/// The endings of personal names.
static ENDINGS: LazyLock<BTreeMap<String, Category>> = LazyLock::new(|| {
    let marked = personal::names()
        .into_iter()
        .flat_map(|(name, categories)| {
            let ending = letters(last_word(name));
            categories.into_iter().map(move |it| (ending.clone(), it))
        });
    let beside = BESIDE_EVENTS.map(|(name, category)| (letters(name), category));
    marked.chain(beside).collect()
});

/// Names that end like personal ones, and that payloads have without a mark: `itemName`.
static NOT_PERSONAL: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let names = personal::names().into_iter();
    names
        .filter(|(_, categories)| categories.is_empty())
        .map(|(name, _)| letters(name))
        .filter(|name| !ENDINGS.contains_key(name))
        .collect()
});

/// The category of a field or column by its name; `None` if the name is not personal.
pub fn category(name: &str) -> Option<Category> {
    let name = letters(name);
    if NOT_PERSONAL.contains(&name) {
        return None;
    }
    let found = ENDINGS
        .iter()
        .filter(|(ending, _)| name.ends_with(ending.as_str()));
    found
        .max_by_key(|(ending, _)| ending.len())
        .map(|(_, category)| *category)
}

/// A name without its case and underscores: payloads spell `firstName`, columns `first_name`.
fn letters(name: &str) -> String {
    let letters = name.chars().filter(|letter| *letter != '_');
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
}

/// `Name` of `firstName`.
fn last_word(name: &str) -> &str {
    let start = name.rfind(|letter: char| letter.is_ascii_uppercase());
    start.map_or(name, |start| &name[start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_marked_name_is_personal_in_both_spellings_and_of_one_category() {
        let mut marked = 0;
        for (name, categories) in personal::names() {
            let Some(first) = categories.first() else {
                continue;
            };
            marked += 1;
            assert_eq!(categories.len(), 1, "{name}");
            let column: String = name
                .chars()
                .flat_map(|letter| {
                    let underscore = letter.is_ascii_uppercase().then_some('_');
                    underscore.into_iter().chain([letter.to_ascii_lowercase()])
                })
                .collect();
            assert_eq!(category(name), Some(*first), "{name}");
            assert_eq!(category(&column), Some(*first), "{column}");
        }
        assert!(marked > 0);
    }

    #[test]
    fn the_names_of_peoples_fields_in_tables_and_answers_are_personal() {
        for name in [
            "name",
            "customerName",
            "customer_email",
            "driverName",
            "driver_phone",
            "driverEmail",
            "ownername",
            "displayName",
            "drNic",
            "dr_nic",
            "profilePicture",
            "message",
            "comment",
            "latitude",
            "LONGITUDE",
        ] {
            assert!(category(name).is_some(), "{name}");
        }
        for name in [
            "item_name",
            "orderName",
            "latest",
            "planted",
            "status",
            "images",
            "",
        ] {
            assert_eq!(category(name), None, "{name}");
        }
    }
}
