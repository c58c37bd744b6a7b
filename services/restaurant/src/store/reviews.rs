//! The table `reviews`, and the ratings in `items` and `restaurants` that follow from it.

use sqlx::PgConnection;
use tiffin_bus::{Aggregate, Cause, Recorder, StoredAggregate};
use tiffin_events::{ItemId, RestaurantId, ReviewId, UserId, review::ReviewEvent};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    error::{Error, Refusal},
    item::Item,
    review::{Rating, Review, ReviewContent},
};

/// The attempts of a first review whose author writes another one at the same time.
const MAX_ATTEMPTS: usize = 5;

impl Aggregate for Review {
    type Event = ReviewEvent;
    type Error = Error;

    fn id(&self) -> Uuid {
        self.id.0
    }

    fn version(&self) -> i64 {
        self.sequence
    }

    fn concerned(&self, _event: &ReviewEvent) -> Vec<UserId> {
        vec![self.author_id, self.owner_id]
    }
}

impl StoredAggregate for Review {
    type Key = ReviewId;
    type Refusal = Refusal;

    fn version_mut(&mut self) -> &mut i64 {
        &mut self.sequence
    }

    async fn lock(tx: &mut PgConnection, id: ReviewId) -> Result<Self, Error> {
        Ok(lock(tx, id).await?.ok_or(Refusal::NoReview)?)
    }

    /// Saves the ratings of its dish and restaurant with it.
    async fn save(&self, tx: &mut PgConnection, before: &Self) -> Result<(), Error> {
        update(tx, self).await?;
        Ok(add_to_ratings(tx, self, self.weight().since(before.weight())).await?)
    }
}

/// Writes a review: a first one is inserted, a further one replaces it. The flag is true if it
/// is the first.
pub async fn submit(
    tx: &mut PgConnection,
    recorder: &Recorder,
    cause: &Cause,
    item: &Item,
    author: UserId,
    content: &ReviewContent,
) -> Result<(ReviewId, bool), Error> {
    let clock = &recorder.clock;
    for _ in 0..MAX_ATTEMPTS {
        if let Some(id) = find(tx, item.id, author).await? {
            let now = clock.now();
            let replace = |review: &mut Review| review.replace(content.clone(), now);
            tiffin_bus::change(tx, recorder, cause, id, replace).await?;
            return Ok((id, false));
        }
        let review = Review {
            id: ReviewId(clock.new_id()),
            item_id: item.id,
            restaurant_id: item.restaurant_id,
            owner_id: item.owner_id,
            author_id: author,
            content: content.clone(),
            approved: false,
            written_at: clock.now(),
            deleted_at: None,
            sequence: 1,
        };
        if insert(tx, &review).await? {
            tiffin_bus::record(tx, recorder, cause, None, &review, &[review.submitted()]).await?;
            return Ok((review.id, true));
        }
    }
    Err(sqlx::Error::Protocol(format!("no review in {MAX_ATTEMPTS} attempts")).into())
}

/// Adds to the ratings of a review's dish and restaurant.
async fn add_to_ratings(tx: &mut PgConnection, review: &Review, more: Rating) -> sqlx::Result<()> {
    if more == Rating::default() {
        return Ok(());
    }
    sqlx::query!(
        "update items set rating_sum = rating_sum + $2, rating_count = rating_count + $3 where id = $1",
        review.item_id.0,
        more.sum,
        more.count,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "update restaurants set rating_sum = rating_sum + $2, rating_count = rating_count + $3 where id = $1",
        review.restaurant_id.0,
        more.sum,
        more.count,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// An account's review of a dish.
async fn find(
    tx: &mut PgConnection,
    ItemId(item): ItemId,
    UserId(author): UserId,
) -> sqlx::Result<Option<ReviewId>> {
    let id = sqlx::query_scalar!(
        "select id from reviews where item_id = $1 and author_id = $2 and deleted_at is null",
        item,
        author,
    )
    .fetch_optional(tx)
    .await?;
    Ok(id.map(ReviewId))
}

async fn lock(tx: &mut PgConnection, ReviewId(id): ReviewId) -> sqlx::Result<Option<Review>> {
    let row = sqlx::query_as!(
        ReviewRow,
        "select v.id, v.item_id, i.restaurant_id, r.owner_id, v.author_id, v.rating, v.comment, v.approved,
                v.written_at, v.deleted_at, v.version
         from reviews v join items i on i.id = v.item_id join restaurants r on r.id = i.restaurant_id
         where v.id = $1
         for update of v",
        id,
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.map(Review::from))
}

/// True if its author had no review of that dish.
async fn insert(tx: &mut PgConnection, review: &Review) -> sqlx::Result<bool> {
    let inserted = sqlx::query!(
        "insert into reviews (id, item_id, author_id, rating, comment, approved, written_at, version)
         values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict (item_id, author_id) where deleted_at is null do nothing",
        review.id.0,
        review.item_id.0,
        review.author_id.0,
        review.content.rating,
        review.content.comment,
        review.approved,
        review.written_at,
        review.sequence,
    )
    .execute(tx)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

async fn update(tx: &mut PgConnection, review: &Review) -> sqlx::Result<()> {
    sqlx::query!(
        "update reviews
         set rating = $2, comment = $3, approved = $4, written_at = $5, deleted_at = $6, version = $7
         where id = $1",
        review.id.0,
        review.content.rating,
        review.content.comment,
        review.approved,
        review.written_at,
        review.deleted_at,
        review.sequence,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// A row as it is stored, with its dish's restaurant.
struct ReviewRow {
    id: Uuid,
    item_id: Uuid,
    restaurant_id: Uuid,
    owner_id: Uuid,
    author_id: Uuid,
    rating: i16,
    comment: String,
    approved: bool,
    written_at: OffsetDateTime,
    deleted_at: Option<OffsetDateTime>,
    version: i64,
}

impl From<ReviewRow> for Review {
    fn from(row: ReviewRow) -> Self {
        Self {
            id: ReviewId(row.id),
            item_id: ItemId(row.item_id),
            restaurant_id: RestaurantId(row.restaurant_id),
            owner_id: UserId(row.owner_id),
            author_id: UserId(row.author_id),
            content: ReviewContent {
                rating: row.rating,
                comment: row.comment,
            },
            approved: row.approved,
            written_at: row.written_at,
            deleted_at: row.deleted_at,
            sequence: row.version,
        }
    }
}
