//! Hints: messages to accounts about a change, sent once the broker has stored its event. They reach the sockets that
//! are open at the moment and are not stored.

use std::collections::BTreeMap;

use serde_json::Value;
use tiffin_events::{Role, UserId, subject};

use crate::{Broker, publish::jetstream::OutboxRow};

/// Sends the rows, all of one family, to the users whom they concern, and hints to the roles that hear of
/// every event of that family.
pub(crate) async fn send(
    broker: &Broker,
    rows: &[OutboxRow],
) -> Result<(), async_nats::PublishError> {
    for row in rows {
        for user in &row.audience {
            let subject = subject::hint(UserId(*user));
            broker.client.publish(subject, row.body.clone()).await?;
        }
    }
    let Some((aggregate, newest)) = newest_of_each_type(rows) else {
        return Ok(());
    };
    let roles = Role::ALL
        .into_iter()
        .filter(|role| role.gets_hints_of(aggregate));
    for role in roles {
        for hint in newest.values().filter_map(|row| hint(row)) {
            let subject = subject::role_hint(role);
            broker.client.publish(subject, hint.into()).await?;
        }
    }
    Ok(())
}

/// The rows' aggregate and the last row of each event type. One hint tells a role as much as five hundred.
/// `None` for rows that are no events.
fn newest_of_each_type(rows: &[OutboxRow]) -> Option<(&str, BTreeMap<&str, &OutboxRow>)> {
    let (tiffin, aggregate) = subject::family(&rows.first()?.subject).split_once('.')?;
    let events = rows.iter().filter_map(|row| {
        let (_, event) = row.subject.rsplit_once('.')?;
        Some((event, row))
    });
    (tiffin == "tiffin").then(|| (aggregate, events.collect()))
}

/// The event without its payload, which not everyone of a role may see.
fn hint(row: &OutboxRow) -> Option<String> {
    let mut envelope: Value = serde_json::from_slice(&row.body).ok()?;
    *envelope.get_mut("data")? = Value::Object(serde_json::Map::new());
    Some(envelope.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    fn row(subject: &str, body: &str) -> OutboxRow {
        OutboxRow {
            id: 0,
            event_id: Uuid::nil(),
            subject: subject.to_owned(),
            body: body.to_owned().into(),
            audience: Vec::new(),
            is_republished: false,
            ttl_seconds: None,
            last_of_subject: None,
        }
    }

    #[test]
    fn many_of_a_type_are_one_hint_of_the_newest_without_its_payload() {
        let rows = [
            row("tiffin.user.1.updated", r#"{"id":1,"data":{"email":"a"}}"#),
            row("tiffin.user.1.blocked", r#"{"id":2,"data":{}}"#),
            row("tiffin.user.2.updated", r#"{"id":3,"data":{"email":"b"}}"#),
        ];
        let (aggregate, newest) = newest_of_each_type(&rows).unwrap();
        let hints = newest.values().filter_map(|row| hint(row));
        let hints: Vec<Value> = hints.map(|hint| hint.parse().unwrap()).collect();
        assert_eq!(aggregate, "user");
        assert_eq!(
            hints,
            [json!({"id": 2, "data": {}}), json!({"id": 3, "data": {}})]
        );
    }

    #[test]
    fn entries_of_the_audience_send_no_hint() {
        assert!(newest_of_each_type(&[row("$KV.audience.order.1", "{}")]).is_none());
        assert!(newest_of_each_type(&[]).is_none());
    }
}
