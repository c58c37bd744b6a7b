//! Personal fields of events. A type marks each field that says who or where a person is; the mark travels in
//! the field's JSON Schema as `x-personal`. Everything here is read from the schemas, so there is one list.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::LazyLock,
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::sealed::{NoPerson, Sealed, SealedPart, SealedText};
pub use self::taken::{Fields, Taken, erase, put_back, take_out};
use crate::{
    Stream,
    catalogue::{self, Entry},
};

mod sealed;
mod taken;

/// The key of a mark in a field's schema.
const KEY: &str = "x-personal";

/// The kind of a personal field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    Name,
    /// An address in words.
    Address,
    /// Coordinates.
    Place,
    Phone,
    Email,
    Picture,
    /// A text for a person, or by one.
    Text,
}

impl Category {
    pub const ALL: [Self; 7] = [
        Self::Name,
        Self::Address,
        Self::Place,
        Self::Phone,
        Self::Email,
        Self::Picture,
        Self::Text,
    ];
}

/// A mark: the person of a field, and its category.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mark {
    /// The field of the same payload with the account's id, or [`Mark::SUBJECT`].
    pub of: String,
    pub category: Category,
}

impl Mark {
    /// The person is the event's aggregate: the envelope's `subject` is the account.
    pub const SUBJECT: &str = "subject";

    /// A field about the account that the payload's field `of` names.
    pub(crate) fn new(category: Category, of: &str) -> Self {
        Self {
            of: of.to_owned(),
            category,
        }
    }

    /// A field about the account that the event belongs to.
    pub(crate) fn of_subject(category: Category) -> Self {
        Self::new(category, Self::SUBJECT)
    }
}

/// A personal field of an event type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonalField {
    pub path: Path,
    pub mark: Mark,
}

/// The names from a payload to a field; `[]` is every element of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Path(Vec<String>);

impl Path {
    /// The name of every element of a list.
    pub const EACH: &str = "[]";

    fn then(&self, name: &str) -> Self {
        let names = self.0.iter().cloned();
        Self(names.chain([name.to_owned()]).collect())
    }

    pub fn names(&self) -> &[String] {
        &self.0
    }

    /// The name of the field, also if it is a list.
    pub fn field(&self) -> &str {
        let name = self.0.iter().rev().find(|name| *name != Self::EACH);
        name.map_or("", String::as_str)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("."))
    }
}

/// A payload's fields with their marks, as its schema has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    pub mark: Option<Mark>,
    /// The fields of an object.
    pub fields: BTreeMap<String, Shape>,
    /// The elements of a list.
    pub items: Option<Box<Shape>>,
    /// True of a field that says yes or no, and nothing about who or where.
    is_flag: bool,
    /// The value of a field that can't be absent, once it is erased.
    erased: Option<Value>,
}

impl Shape {
    /// Reads a schema whose definitions are in `root`.
    fn read(schema: &Value, root: &Value) -> Self {
        let mut shape = Self::default();
        shape.add(schema, root);
        shape
    }

    fn add(&mut self, schema: &Value, root: &Value) {
        let Some(members) = schema.as_object() else {
            return;
        };
        if let Some(mark) = members.get(KEY) {
            self.mark = serde_json::from_value(mark.clone()).ok();
        }
        self.is_flag |= members.get("type").is_some_and(is_flag);
        if let Some(kind) = members.get("type").and_then(Value::as_str) {
            self.erased = erased(kind);
        }
        for (name, field) in members
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            self.fields
                .entry(name.clone())
                .or_default()
                .add(field, root);
        }
        if let Some(items) = members.get("items") {
            self.items.get_or_insert_default().add(items, root);
        }
        if let Some(target) = members.get("$ref").and_then(Value::as_str)
            && let Some(target) = root.pointer(target.trim_start_matches('#'))
        {
            self.add(target, root);
        }
        for variants in ["anyOf", "oneOf", "allOf"] {
            let variants = members.get(variants).and_then(Value::as_array);
            variants
                .into_iter()
                .flatten()
                .for_each(|it| self.add(it, root));
        }
    }

    /// Every marked field, in the order of paths.
    fn marked(&self) -> Vec<PersonalField> {
        let mut found = Vec::new();
        self.visit(&Path::default(), &mut |path, shape| {
            found.extend(shape.mark.clone().map(|mark| PersonalField {
                path: path.clone(),
                mark,
            }));
        });
        found
    }

    /// Every field that holds a text or a number and is not marked, in the order of paths.
    pub fn unmarked(&self) -> Vec<Path> {
        let mut found = Vec::new();
        self.visit(&Path::default(), &mut |path, shape| {
            let is_leaf = shape.fields.is_empty() && shape.items.is_none();
            if is_leaf && !shape.is_flag && shape.mark.is_none() {
                found.push(path.clone());
            }
        });
        found
    }

    /// Visits this field and all below it, except those below a mark: it covers them.
    fn visit(&self, path: &Path, see: &mut dyn FnMut(&Path, &Self)) {
        see(path, self);
        if self.mark.is_some() {
            return;
        }
        for (name, field) in &self.fields {
            field.visit(&path.then(name), see);
        }
        if let Some(items) = &self.items {
            items.visit(&path.then(Path::EACH), see);
        }
    }
}

/// True for the type `boolean`, also where it may be null.
fn is_flag(kind: &Value) -> bool {
    match kind {
        Value::Array(kinds) => kinds.iter().any(is_flag),
        kind => kind == "boolean",
    }
}

/// The value of an erased field of a type; `None` where it is left out.
fn erased(kind: &str) -> Option<Value> {
    match kind {
        "string" => Some(Value::from("")),
        // `0,0` is a place that is not known.
        "number" => Some(Value::from(0.0)),
        "integer" => Some(Value::from(0)),
        "array" => Some(Value::Array(Vec::new())),
        _ => None,
    }
}

/// One event type's shape and its marked fields.
struct Known {
    entry: Entry,
    shape: Shape,
    fields: Vec<PersonalField>,
}

static KNOWN: LazyLock<BTreeMap<&'static str, Known>> = LazyLock::new(|| {
    let known = |entry: Entry| {
        let schema = (entry.schema)().to_value();
        let shape = Shape::read(&schema, &schema);
        let fields = shape.marked();
        let kind = entry.kind;
        (
            kind,
            Known {
                entry,
                shape,
                fields,
            },
        )
    };
    catalogue::entries().into_iter().map(known).collect()
});

/// The personal fields of an event type, in the order of paths; `None` if the catalogue lacks the type.
pub fn fields(kind: &str) -> Option<&'static [PersonalField]> {
    KNOWN.get(kind).map(|known| known.fields.as_slice())
}

/// True if the personal fields of an event type are sealed under the keys of their persons. Positions are not: they are
/// gone after a day.
pub fn is_sealed(kind: &str) -> bool {
    KNOWN
        .get(kind)
        .is_some_and(|known| !known.fields.is_empty() && known.entry.stream != Stream::Positions)
}

/// The shape of an event type's payload; `None` if the catalogue lacks the type.
pub fn shape(kind: &str) -> Option<&'static Shape> {
    KNOWN.get(kind).map(|known| &known.shape)
}

/// The shape of the payload of an event, if the payload is one of that type.
pub fn shape_of(kind: &str, data: &Value) -> Option<&'static Shape> {
    let known = KNOWN.get(kind)?;
    (known.entry.round_trip)(data).map(|_| &known.shape)
}

/// The names of all fields of all payloads, each with the categories by which payloads mark it.
pub fn names() -> BTreeMap<&'static str, BTreeSet<Category>> {
    let mut names = BTreeMap::new();
    for known in KNOWN.values() {
        add_names(&known.shape, &mut names);
    }
    names
}

fn add_names<'a>(shape: &'a Shape, names: &mut BTreeMap<&'a str, BTreeSet<Category>>) {
    for (name, field) in &shape.fields {
        let category = field.mark.as_ref().map(|mark| mark.category);
        names.entry(name).or_default().extend(category);
        add_names(field, names);
    }
    if let Some(items) = &shape.items {
        add_names(items, names);
    }
}

/// The personal fields of an event type in words, by person: `` `address`, `destLat` of `customerId` ``.
pub fn summary(kind: &str) -> String {
    let mut by_person: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for field in fields(kind).unwrap_or_default() {
        let listed = by_person.entry(&field.mark.of).or_default();
        listed.push(format!("`{}`", field.path));
    }
    let persons = by_person.into_iter();
    let persons = persons.map(|(of, listed)| format!("{} of `{of}`", listed.join(", ")));
    persons.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests;
