//! Taking the personal fields out of a payload, putting them back, and the payload without them.

use std::collections::BTreeMap;

use serde_json::Value;
use uuid::Uuid;

use super::{KNOWN, Mark, NoPerson, Shape};
use crate::UserId;

/// The values of a person's fields, by their JSON pointers (RFC 6901).
pub type Fields = BTreeMap<String, Value>;

/// The fields that were taken out of a payload, by the person that they are about.
pub type Taken = BTreeMap<UserId, Fields>;

/// Takes the personal fields out of the payload of an event of the aggregate `subject`. A field that is null says
/// nothing and stays. A payload of a type that the catalogue lacks stays as it is.
pub fn take_out(kind: &str, subject: Uuid, data: &mut Value) -> Result<Taken, NoPerson> {
    let mut taken = Taken::new();
    let Some(known) = KNOWN.get(kind).filter(|known| !known.fields.is_empty()) else {
        return Ok(taken);
    };
    let person_of = persons(kind, subject, data);
    let mut found = Vec::new();
    visit(&known.shape, "", data, &mut |pointer, shape, value| {
        if let Some(mark) = &shape.mark
            && !value.is_null()
        {
            found.push((pointer.to_owned(), mark.clone(), value.take()));
        }
    });
    for (pointer, mark, value) in found {
        taken
            .entry(person_of(&mark, &pointer)?)
            .or_default()
            .insert(pointer.clone(), value);
        remove(data, &pointer);
    }
    Ok(taken)
}

/// Puts fields back into the payload that they were taken from.
pub fn put_back(data: &mut Value, fields: Fields) {
    for (pointer, value) in fields {
        let Some((parent, name)) = pointer.rsplit_once('/') else {
            continue;
        };
        match data.pointer_mut(parent) {
            Some(Value::Object(members)) => {
                members.insert(name.to_owned(), value);
            }
            Some(Value::Array(items)) => {
                let item = name.parse().ok().and_then(|at: usize| items.get_mut(at));
                if let Some(item) = item {
                    *item = value;
                }
            }
            _ => {}
        }
    }
}

/// Completes a payload whose fields about a person can't be read any more: a text is empty, a number 0, a list empty,
/// and what may be absent is absent.
pub fn erase(kind: &str, subject: Uuid, data: &mut Value, person: UserId) {
    let Some(known) = KNOWN.get(kind) else { return };
    let person_of = persons(kind, subject, data);
    complete(&known.shape, data, &|mark| {
        person_of(mark, "").is_ok_and(|it| it == person)
    });
}

/// The account that a mark names, in this payload.
fn persons(
    kind: &str,
    subject: Uuid,
    data: &Value,
) -> impl Fn(&Mark, &str) -> Result<UserId, NoPerson> + use<> {
    let named: BTreeMap<String, Uuid> = data
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(name, value)| Some((name.clone(), value.as_str()?.parse().ok()?)))
        .collect();
    let kind = kind.to_owned();
    move |mark, field| {
        let id = match mark.of.as_str() {
            Mark::SUBJECT => Some(&subject),
            of => named.get(of),
        };
        id.copied().map(UserId).ok_or_else(|| NoPerson {
            kind: kind.clone(),
            of: mark.of.clone(),
            field: field.to_owned(),
        })
    }
}

/// Visits every value that the shape describes, except those below a mark.
fn visit(
    shape: &Shape,
    pointer: &str,
    value: &mut Value,
    see: &mut dyn FnMut(&str, &Shape, &mut Value),
) {
    if shape.mark.is_some() {
        return see(pointer, shape, value);
    }
    match value {
        Value::Object(members) => {
            for (name, field) in &shape.fields {
                if let Some(value) = members.get_mut(name) {
                    visit(field, &format!("{pointer}/{name}"), value, see);
                }
            }
        }
        Value::Array(items) => {
            for (at, value) in items.iter_mut().enumerate() {
                if let Some(items) = &shape.items {
                    visit(items, &format!("{pointer}/{at}"), value, see);
                }
            }
        }
        _ => {}
    }
}

/// Removes a field; an element of a list stays as null, so that the others keep their places.
fn remove(data: &mut Value, pointer: &str) {
    if let Some((parent, name)) = pointer.rsplit_once('/')
        && let Some(Value::Object(members)) = data.pointer_mut(parent)
    {
        members.remove(name);
    }
}

/// Gives each missing field that is `of` the person the value of an erased one.
fn complete(shape: &Shape, value: &mut Value, of: &dyn Fn(&Mark) -> bool) {
    match value {
        Value::Object(members) => {
            for (name, field) in &shape.fields {
                match (&field.mark, &field.erased) {
                    (Some(mark), Some(erased)) if of(mark) => {
                        members.entry(name).or_insert_with(|| erased.clone());
                    }
                    (Some(_), _) => {}
                    (None, _) => {
                        if let Some(value) = members.get_mut(name) {
                            complete(field, value, of);
                        }
                    }
                }
            }
        }
        Value::Array(items) => {
            let Some(shape) = &shape.items else { return };
            for item in items {
                match (&shape.mark, &shape.erased) {
                    (Some(mark), Some(erased)) if item.is_null() && of(mark) => {
                        *item = erased.clone();
                    }
                    _ => complete(shape, item, of),
                }
            }
        }
        _ => {}
    }
}
