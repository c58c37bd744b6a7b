//! Seals again what an older master key sealed, so that the older key can leave the configuration. Signing keys are sealed again
//! at the start of the service.

use sqlx::PgPool;
use tracing::{error, info};
use uuid::Uuid;

use crate::{
    Error,
    seal::Seal,
    store::{personal_keys, second_factors},
};

/// A value that another master key than the current one sealed.
pub(crate) struct SealedRow {
    pub id: Uuid,
    pub purpose: String,
    pub sealed: Vec<u8>,
}

/// A value that is sealed again.
pub(crate) struct Resealed {
    pub id: Uuid,
    pub before: Vec<u8>,
    pub after: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
enum Table {
    PersonalKeys,
    SecondFactors,
}

/// Seals personal keys and second factors under the newest master key that an older one of the configuration sealed.
pub async fn seal_again(pool: &PgPool, seal: &Seal) -> Result<(), Error> {
    for table in [Table::PersonalKeys, Table::SecondFactors] {
        let count = table.seal_again(pool, seal).await?;
        if count > 0 {
            info!(
                ?table,
                count, "what an older master key sealed is sealed under the newest"
            );
        }
    }
    Ok(())
}

impl Table {
    async fn seal_again(self, pool: &PgPool, seal: &Seal) -> Result<u64, Error> {
        let current = seal.current_id()?;
        let (mut after, mut count) = (Uuid::nil(), 0);
        loop {
            let rows = self.sealed_by_others(pool, &current, after).await?;
            let Some(last) = rows.last() else {
                return Ok(count);
            };
            after = last.id;
            let rows = rows.into_iter();
            let resealed: Vec<Resealed> = rows.filter_map(|row| self.reseal(seal, row)).collect();
            count += self.save(pool, &resealed).await?;
        }
    }

    fn reseal(self, seal: &Seal, row: SealedRow) -> Option<Resealed> {
        let opened = seal.open(&row.purpose, &row.sealed);
        match opened.and_then(|plain| seal.seal(&row.purpose, &plain)) {
            Ok(after) => Some(Resealed {
                id: row.id,
                before: row.sealed,
                after,
            }),
            Err(error) => {
                error!(table = ?self, id = %row.id, %error, "a sealed value stays as it is and can't be read");
                None
            }
        }
    }

    /// Some rows after `after` in the order of their ids; none where all are sealed under `current`.
    async fn sealed_by_others(
        self,
        pool: &PgPool,
        current: &[u8],
        after: Uuid,
    ) -> Result<Vec<SealedRow>, Error> {
        match self {
            Self::PersonalKeys => personal_keys::sealed_by_others(pool, current, after).await,
            Self::SecondFactors => second_factors::sealed_by_others(pool, current, after).await,
        }
    }

    /// Answers the number of those that did not change meanwhile.
    async fn save(self, pool: &PgPool, rows: &[Resealed]) -> Result<u64, Error> {
        let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
        let before: Vec<Vec<u8>> = rows.iter().map(|row| row.before.clone()).collect();
        let after: Vec<Vec<u8>> = rows.iter().map(|row| row.after.clone()).collect();
        match self {
            Self::PersonalKeys => personal_keys::reseal(pool, &ids, &before, &after).await,
            Self::SecondFactors => second_factors::reseal(pool, &ids, &before, &after).await,
        }
    }
}
