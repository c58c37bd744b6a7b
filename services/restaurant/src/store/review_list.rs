//! Reviews as people see them: with the names of their author, dish and restaurant joined in at the time
//! of reading.

use sqlx::PgConnection;
use tiffin_chassis::paging::Cursor;
use tiffin_events::{ItemId, RestaurantId, ReviewId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{restaurant::Actor, view::ReviewView};

/// A selection of reviews, and its reader. A `None` does not narrow it.
#[derive(Clone, Debug)]
pub struct Filter<'a> {
    pub viewer: Option<Actor>,
    pub id: Option<ReviewId>,
    pub item: Option<ItemId>,
    pub restaurant: Option<RestaurantId>,
    pub approved: Option<bool>,
    /// Words in the comment or the names; administrators find e-mail addresses by them too.
    pub words: Option<&'a str>,
    pub after: Option<&'a Cursor>,
    pub limit: i64,
}

impl Filter<'_> {
    pub fn all(viewer: Option<Actor>) -> Self {
        Self {
            viewer,
            id: None,
            item: None,
            restaurant: None,
            approved: None,
            words: None,
            after: None,
            limit: i64::MAX,
        }
    }
}

/// One review, if the viewer may see it.
pub async fn find(
    tx: &mut PgConnection,
    viewer: Actor,
    id: ReviewId,
) -> sqlx::Result<Option<ReviewView>> {
    let filter = Filter {
        id: Some(id),
        ..Filter::all(Some(viewer))
    };
    let found = list(tx, &filter).await?.pop();
    Ok(found.map(|(review, _)| review))
}

/// The reviews that the viewer may see, last written first: approved ones, an author's own, an owner's
/// those on their dishes, an administrator's all. Those of dishes that are gone are left to their
/// authors and administrators.
pub async fn list(
    tx: &mut PgConnection,
    filter: &Filter<'_>,
) -> sqlx::Result<Vec<(ReviewView, Cursor)>> {
    let rows = sqlx::query_as!(
        ReviewListRow,
        r#"with found as (
             select v.id, v.item_id, v.rating, v.comment, v.approved, v.written_at, v.author_id,
                    i.name as item_name, i.restaurant_id, r.name as restaurant_name, r.owner_id,
                    coalesce(trim(p.first_name || ' ' || p.last_name), '') as name,
                    case when $1 or v.author_id = $2 or r.owner_id = $2 then coalesce(p.email, '') else '' end as email,
                    p.image,
                    (-extract(epoch from v.written_at) * 1000000)::bigint as rank
             from reviews v
             join items i on i.id = v.item_id
             join restaurants r on r.id = i.restaurant_id
             left join people p on p.id = v.author_id
             where v.deleted_at is null
               and ($1 or v.approved or v.author_id = $2 or r.owner_id = $2)
               and ($1 or v.author_id = $2 or (i.deleted_at is null and r.deleted_at is null))
               and ($3::uuid is null or v.id = $3)
               and ($4::uuid is null or v.item_id = $4)
               and ($5::uuid is null or i.restaurant_id = $5)
               and ($6::boolean is null or v.approved = $6)
           )
           select id, item_id, rating, comment, approved, written_at, item_name, restaurant_id, restaurant_name,
                  owner_id, name as "name!", email as "email!", image as "image?", rank as "rank!"
           from found
           where ($7::text is null
                  or position(lower($7) in lower(concat_ws(E'\n', comment, item_name, restaurant_name, name))) > 0
                  or $1 and position(lower($7) in lower(email)) > 0)
             and ($8::bigint is null or rank > $8 or rank = $8 and id < $9)
           order by rank, id desc
           limit $10"#,
        filter.viewer.is_some_and(Actor::sees_everything),
        filter.viewer.map(|viewer| viewer.id.0),
        filter.id.map(|ReviewId(id)| id),
        filter.item.map(|ItemId(id)| id),
        filter.restaurant.map(|RestaurantId(id)| id),
        filter.approved,
        filter.words,
        filter.after.map(|cursor| cursor.rank),
        filter.after.map(|cursor| cursor.id),
        filter.limit,
    )
    .fetch_all(tx)
    .await?;
    Ok(rows.into_iter().map(ReviewListRow::into_view).collect())
}

struct ReviewListRow {
    id: Uuid,
    item_id: Uuid,
    rating: i16,
    comment: String,
    approved: bool,
    written_at: OffsetDateTime,
    item_name: String,
    restaurant_id: Uuid,
    restaurant_name: String,
    owner_id: Uuid,
    name: String,
    email: String,
    image: Option<String>,
    rank: i64,
}

impl ReviewListRow {
    fn into_view(self) -> (ReviewView, Cursor) {
        let cursor = Cursor {
            word: String::new(),
            rank: self.rank,
            id: self.id,
        };
        let view = ReviewView {
            id: self.id,
            product_id: self.item_id,
            rating: self.rating,
            comment: self.comment,
            owner_id: self.owner_id,
            restaurant_id: self.restaurant_id,
            restaurant_name: self.restaurant_name,
            item_name: self.item_name,
            name: self.name,
            email: self.email,
            profile_picture: self.image,
            data: self.written_at,
            date: self.written_at,
            is_approved: self.approved,
        };
        (view, cursor)
    }
}
