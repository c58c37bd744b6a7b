//! The key that identifies this service to push services.

use sqlx::PgPool;

use crate::{Error, push::Key};

/// Returns the key. The first call of any process generates it.
pub async fn push_key(pool: &PgPool) -> Result<Key, Error> {
    let stored = sqlx::query_scalar!("select pkcs8 from push_keys");
    if let Some(pkcs8) = stored.fetch_optional(pool).await? {
        return read(&pkcs8);
    }
    let made = Key::generate().map_err(|error| Error::Crypto(error.to_string()))?;
    let stored = sqlx::query_scalar!(
        "insert into push_keys (pkcs8) values ($1)
         on conflict (id) do update set pkcs8 = push_keys.pkcs8 returning pkcs8",
        made,
    );
    read(&stored.fetch_one(pool).await?)
}

fn read(pkcs8: &[u8]) -> Result<Key, Error> {
    Key::read(pkcs8).map_err(|error| Error::Crypto(error.to_string()))
}
