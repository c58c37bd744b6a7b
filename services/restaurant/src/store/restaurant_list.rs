//! Restaurants as people see them: with their owner's name joined in at the time of reading.

use sqlx::PgConnection;
use tiffin_chassis::paging::Cursor;
use tiffin_events::{RestaurantId, item::Category};

use time::OffsetDateTime;

use super::fuzzy_search;
use crate::{review::Rating, search::Search, view::RestaurantView};

/// The restaurants that are not deleted.
pub async fn list(
    tx: &mut PgConnection,
    search: &Search,
    now: OffsetDateTime,
) -> sqlx::Result<Vec<(RestaurantView, Cursor)>> {
    fuzzy_search::enable(tx, search.q.text()).await?;
    let rows = sqlx::query!(
        r#"with found as (
             select r.*,
                    coalesce(trim(p.first_name || ' ' || p.last_name), '') as owner_name,
                    case $3 when 'name' then lower(r.name) else '' end as word,
                    case $3 when 'price' then
                                coalesce((select min(i.price) from items i
                                          where i.restaurant_id = r.id and i.approved and i.deleted_at is null),
                                         9223372036854775807)
                            when 'rating' then coalesce(-(r.rating_sum * 100 / nullif(r.rating_count, 0)), 1)
                            when 'relevance' then
                                (-1000 * (ts_rank(r.search, websearch_to_tsquery('english', $1))
                                          + word_similarity($1, r.name)))::bigint
                            else 0 end as rank
             from restaurants r left join people p on p.id = r.owner_id
             where r.deleted_at is null
               and ($1::text is null or r.search @@ websearch_to_tsquery('english', $1) or $1 <% r.name
                    or exists (select from items i
                               where i.restaurant_id = r.id and i.approved and i.deleted_at is null
                                 and (i.search @@ websearch_to_tsquery('english', $1) or $1 <% i.name)))
               and ($2::text is null
                    or exists (select from items i
                               where i.restaurant_id = r.id and i.approved and i.deleted_at is null
                                 and i.category = $2))
               and ($8::uuid is null or r.owner_id = $8)
           )
           select id, name, owner_name as "owner_name!", owner_id, address, phone, description, images,
                  is_open and (paused_until is null or paused_until <= $9) as "is_open!",
                  case when paused_until > $9 then paused_until end as paused_until,
                  case when busy_until > $9 then busy_minutes end as busy_minutes,
                  case when busy_until > $9 then busy_until end as busy_until,
                  verified, lat, lng, rating_sum, rating_count, answer_minutes, word as "word!", rank as "rank!"
           from found
           where $4::text is null or (word, rank) > ($4, $5::bigint) or (word, rank) = ($4, $5) and id < $6::uuid
           order by word, rank, id desc
           limit $7"#,
        search.q.text(),
        search.category.map(Category::as_str),
        search.sort().as_str(),
        search.cursor.as_ref().map(|cursor| cursor.word.as_str()),
        search.cursor.as_ref().map(|cursor| cursor.rank),
        search.cursor.as_ref().map(|cursor| cursor.id),
        search.sql_limit(),
        search.owner_id.map(|owner| owner.0),
        now,
    )
    .fetch_all(tx)
    .await?;
    let restaurants = rows.into_iter().map(|row| {
        let rating = Rating {
            sum: row.rating_sum,
            count: row.rating_count,
        };
        let restaurant = RestaurantView {
            id: row.id,
            name: row.name,
            owner_name: row.owner_name,
            owner_id: row.owner_id,
            address: row.address,
            phone: row.phone,
            description: row.description,
            images: row.images,
            is_open: row.is_open,
            paused_until: row.paused_until,
            busy_minutes: row.busy_minutes,
            busy_until: row.busy_until,
            verified: row.verified,
            lat: row.lat,
            lng: row.lng,
            rating: rating.mean(),
            rating_count: rating.count,
            answer_minutes: row.answer_minutes,
        };
        let cursor = Cursor {
            word: row.word,
            rank: row.rank,
            id: row.id,
        };
        (restaurant, cursor)
    });
    Ok(restaurants.collect())
}

/// One restaurant, unless it is deleted.
pub async fn find(
    tx: &mut PgConnection,
    RestaurantId(id): RestaurantId,
    now: OffsetDateTime,
) -> sqlx::Result<Option<RestaurantView>> {
    sqlx::query_as!(
        RestaurantView,
        r#"select r.id, r.name, coalesce(trim(p.first_name || ' ' || p.last_name), '') as "owner_name!", r.owner_id,
                  r.address, r.phone, r.description, r.images,
                  r.is_open and (r.paused_until is null or r.paused_until <= $2) as "is_open!",
                  case when r.paused_until > $2 then r.paused_until end as paused_until,
                  case when r.busy_until > $2 then r.busy_minutes end as busy_minutes,
                  case when r.busy_until > $2 then r.busy_until end as busy_until,
                  r.verified, r.lat, r.lng,
                  round(r.rating_sum::numeric / nullif(r.rating_count, 0), 2)::double precision as rating,
                  r.rating_count, r.answer_minutes
           from restaurants r left join people p on p.id = r.owner_id
           where r.id = $1 and r.deleted_at is null"#,
        id,
        now,
    )
    .fetch_optional(tx)
    .await
}
