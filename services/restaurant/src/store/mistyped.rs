use sqlx::PgConnection;

/// Lets `<%` in this transaction find names that share half of their trigrams with what was typed: as
/// many as one wrong letter leaves of a short word. PostgreSQL's own measure is six tenths.
pub async fn allow(tx: &mut PgConnection, words: Option<&str>) -> sqlx::Result<()> {
    if words.is_some() {
        sqlx::query!("select set_config('pg_trgm.word_similarity_threshold', '0.5', true)")
            .fetch_one(tx)
            .await?;
    }
    Ok(())
}
