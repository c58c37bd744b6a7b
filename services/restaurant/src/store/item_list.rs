//! Dishes as lists show them.

use sqlx::PgConnection;
use tiffin_chassis::paging::Cursor;
use tiffin_events::{Money, RestaurantId, item::Category};

use super::{fuzzy_search, items};
use crate::{restaurant::Actor, review::Rating, search::Search, view::ItemView};

/// A selection of dishes, and its reader. A `None` does not narrow it.
#[derive(Clone, Copy, Debug)]
pub struct Filter<'a> {
    pub restaurant: Option<RestaurantId>,
    pub category: Option<Category>,
    pub viewer: Option<Actor>,
    pub search: &'a Search,
}

/// The dishes that the viewer may see: approved ones, an owner's own, an administrator's all.
pub async fn list(
    tx: &mut PgConnection,
    filter: Filter<'_>,
) -> sqlx::Result<Vec<(ItemView, Cursor)>> {
    let search = filter.search;
    fuzzy_search::enable(tx, search.q.text()).await?;
    let rows = sqlx::query!(
        r#"with found as (
             select i.*,
                    case $6 when 'name' then lower(i.name) else '' end as word,
                    case $6 when 'price' then i.price
                            when 'rating' then coalesce(-(i.rating_sum * 100 / nullif(i.rating_count, 0)), 1)
                            when 'relevance' then
                                (-1000 * (ts_rank(i.search, websearch_to_tsquery('english', $5))
                                          + word_similarity($5, i.name)))::bigint
                            else 0 end as rank
             from items i join restaurants r on r.id = i.restaurant_id
             where i.deleted_at is null and r.deleted_at is null
               and (i.approved or $1 or r.owner_id = $2)
               and ($3::uuid is null or i.restaurant_id = $3)
               and ($4::text is null or i.category = $4)
               and ($11::bool is null or i.approved = $11)
               and ($5::text is null or i.search @@ websearch_to_tsquery('english', $5) or $5 <% i.name)
           )
           select id, code, restaurant_id, name, price, category, description, images, available, approved,
                  rating_sum, rating_count, word as "word!", rank as "rank!"
           from found
           where $7::text is null or (word, rank) > ($7, $8::bigint) or (word, rank) = ($7, $8) and id < $9::uuid
           order by word, rank, id desc
           limit $10"#,
        filter.viewer.is_some_and(Actor::sees_everything),
        filter.viewer.map(|viewer| viewer.id.0),
        filter.restaurant.map(|RestaurantId(id)| id),
        filter.category.map(Category::as_str),
        search.q.text(),
        search.sort().as_str(),
        search.cursor.as_ref().map(|cursor| cursor.word.as_str()),
        search.cursor.as_ref().map(|cursor| cursor.rank),
        search.cursor.as_ref().map(|cursor| cursor.id),
        search.sql_limit(),
        search.approve,
    )
    .fetch_all(tx)
    .await?;
    let items = rows.into_iter().map(|row| {
        let rating = Rating {
            sum: row.rating_sum,
            count: row.rating_count,
        };
        let item = ItemView {
            id: row.id,
            item_id: row.code,
            restaurant_id: row.restaurant_id,
            name: row.name,
            price: Money::from_cents(row.price),
            category: items::category(&row.category)?,
            description: row.description,
            images: row.images,
            available: row.available,
            approve: row.approved,
            rating: rating.mean(),
            rating_count: rating.count,
        };
        let cursor = Cursor {
            word: row.word,
            rank: row.rank,
            id: row.id,
        };
        Ok((item, cursor))
    });
    items.collect()
}
