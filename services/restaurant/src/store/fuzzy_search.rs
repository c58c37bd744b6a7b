//! The search of names by similar words.

use sqlx::PgConnection;

/// Lets `<%` in this transaction find names that share half of their trigrams with the typed words: as
/// many as one wrong letter leaves of a short word. The default of PostgreSQL is six tenths.
pub async fn enable(tx: &mut PgConnection, words: Option<&str>) -> sqlx::Result<()> {
    if words.is_some() {
        sqlx::query!("select set_config('pg_trgm.word_similarity_threshold', '0.5', true)")
            .fetch_one(tx)
            .await?;
    }
    Ok(())
}
