//! Inquiries in the database, changed in the same way as accounts. The e-mail address and phone that
//! go with one are read from its author's account, so there is no copy of them to erase.

use sqlx::PgConnection;
use tiffin_bus::{Aggregate, Cause, Recorder, StoredAggregate};
use tiffin_events::{InquiryId, UserId, inquiry::InquiryEvent};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    Error,
    inquiry::{Answer, Inquiry, InquiryRefusal},
};

/// An inquiry with the e-mail address and phone of its author.
#[derive(Debug)]
pub(crate) struct InquiryWithContact {
    pub inquiry: Inquiry,
    pub email: String,
    /// Empty where the account has none.
    pub phone: String,
}

/// Inserts a new inquiry, with the event about it.
pub(crate) async fn insert(
    tx: &mut PgConnection,
    recorder: &Recorder,
    cause: &Cause,
    inquiry: &Inquiry,
    event: InquiryEvent,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into inquiries (id, version, author_id, message, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6)",
        inquiry.id.0,
        inquiry.sequence,
        inquiry.author.0,
        inquiry.message,
        inquiry.created_at,
        inquiry.updated_at,
    )
    .execute(&mut *tx)
    .await?;
    tiffin_bus::record(tx, recorder, cause, None, inquiry, &[event]).await
}

impl Aggregate for Inquiry {
    type Event = InquiryEvent;
    type Error = Error;

    fn id(&self) -> Uuid {
        self.id.0
    }

    fn version(&self) -> i64 {
        self.sequence
    }

    fn concerned(&self, _event: &InquiryEvent) -> Vec<UserId> {
        vec![self.author]
    }
}

impl StoredAggregate for Inquiry {
    type Key = InquiryId;
    type Refusal = InquiryRefusal;

    fn version_mut(&mut self) -> &mut i64 {
        &mut self.sequence
    }

    async fn lock(tx: &mut PgConnection, id: InquiryId) -> Result<Self, Error> {
        lock(tx, id).await
    }

    async fn save(&self, tx: &mut PgConnection, _before: &Self) -> Result<(), Error> {
        sqlx::query!(
            "update inquiries set version = $2, message = $3, response = $4, answered_at = $5, updated_at = $6
         where id = $1",
            self.id.0,
            self.sequence,
            self.message,
            self.answer.as_ref().map(|answer| answer.text.as_str()),
            self.answer.as_ref().map(|answer| answer.at),
            self.updated_at,
        )
        .execute(tx)
        .await?;
        Ok(())
    }
}

/// Removes the inquiry with the event that `transition` makes of it, or refuses.
pub(crate) async fn remove(
    tx: &mut PgConnection,
    recorder: &Recorder,
    cause: &Cause,
    id: InquiryId,
    transition: impl FnOnce(&Inquiry) -> Result<InquiryEvent, InquiryRefusal>,
) -> Result<(), Error> {
    let before = lock(tx, id).await?;
    let event = transition(&before)?;
    sqlx::query!("delete from inquiries where id = $1", id.0)
        .execute(&mut *tx)
        .await?;
    let mut removed = before.clone();
    removed.sequence += 1;
    tiffin_bus::record(tx, recorder, cause, Some(&before), &removed, &[event]).await
}

/// The ids of an account's inquiries.
pub(crate) async fn of_author(
    tx: &mut PgConnection,
    author: UserId,
) -> Result<Vec<InquiryId>, Error> {
    let ids = sqlx::query_scalar!(
        "select id from inquiries where author_id = $1 order by id",
        author.0
    );
    let ids = ids.fetch_all(tx).await?;
    Ok(ids.into_iter().map(InquiryId).collect())
}

/// An account's inquiries, or all if `author` is `None`, newest first. `search` is matched with question,
/// answer and author.
pub(crate) async fn list(
    tx: &mut PgConnection,
    author: Option<UserId>,
    search: Option<&str>,
    before: Option<Uuid>,
    limit: i64,
) -> Result<Vec<InquiryWithContact>, Error> {
    let rows = sqlx::query_as!(
        InquiryRow,
        r#"select i.id, i.version, i.author_id, i.message, i.response, i.created_at, i.updated_at, i.answered_at,
            coalesce(u.email, '') as "email!", u.phone
         from inquiries as i join users as u on u.id = i.author_id
         where ($1::uuid is null or i.author_id = $1)
           and position(lower(coalesce($2, '')) in lower(concat_ws(' ', i.message, i.response, u.first_name, u.last_name,
               u.email, u.phone))) > 0
           and ($3::uuid is null or i.id < $3)
         order by i.id desc limit $4"#,
        author.map(|author| author.0),
        search,
        before,
        limit,
    );
    Ok(rows
        .fetch_all(tx)
        .await?
        .into_iter()
        .map(InquiryWithContact::from)
        .collect())
}

/// One inquiry, if it is there.
pub(crate) async fn find(
    tx: &mut PgConnection,
    id: InquiryId,
) -> Result<Option<InquiryWithContact>, Error> {
    let row = sqlx::query_as!(
        InquiryRow,
        r#"select i.id, i.version, i.author_id, i.message, i.response, i.created_at, i.updated_at, i.answered_at,
            coalesce(u.email, '') as "email!", u.phone
         from inquiries as i join users as u on u.id = i.author_id where i.id = $1"#,
        id.0,
    );
    Ok(row.fetch_optional(tx).await?.map(InquiryWithContact::from))
}

async fn lock(tx: &mut PgConnection, id: InquiryId) -> Result<Inquiry, Error> {
    // The account is not needed, but the row has the same columns everywhere.
    let row = sqlx::query_as!(
        InquiryRow,
        r#"select id, version, author_id, message, response, created_at, updated_at, answered_at,
            '' as "email!", '' as "phone!"
         from inquiries where id = $1 for update"#,
        id.0,
    );
    let row = row.fetch_optional(tx).await?;
    Ok(row
        .map(InquiryWithContact::from)
        .ok_or(InquiryRefusal::Unknown)?
        .inquiry)
}

struct InquiryRow {
    id: Uuid,
    version: i64,
    author_id: Uuid,
    message: String,
    response: Option<String>,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
    answered_at: Option<OffsetDateTime>,
    email: String,
    phone: String,
}

impl From<InquiryRow> for InquiryWithContact {
    fn from(row: InquiryRow) -> Self {
        let answer = row.response.zip(row.answered_at);
        Self {
            inquiry: Inquiry {
                id: InquiryId(row.id),
                sequence: row.version,
                author: UserId(row.author_id),
                message: row.message,
                answer: answer.map(|(text, at)| Answer { text, at }),
                created_at: row.created_at,
                updated_at: row.updated_at,
            },
            email: row.email,
            phone: row.phone,
        }
    }
}
