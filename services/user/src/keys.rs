//! The keys that sign tokens: Ed25519, made and kept in the database. A new key is published before it
//! signs, and an old one for an hour after it: a rotation ends no session.

use std::sync::{Arc, PoisonError, RwLock};

use aws_lc_rs::{
    encoding::{AsDer, Pkcs8V1Der},
    signature::{Ed25519KeyPair, KeyPair},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde::Serialize;
use sqlx::{PgConnection, PgPool};
use tiffin_chassis::Claims;
use tiffin_events::Clock;
use time::{Duration, OffsetDateTime};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    Error,
    seal::{Seal, is_sealed},
    store::signing_keys::{self, SigningKey},
};

/// The time that keys are cached in memory; a rotation by another process is unknown for that long.
const CACHED_FOR: Duration = Duration::minutes(1);
/// The time that a new key is published before it signs: every process and every cache has it by then.
const PUBLISHED_BEFORE: Duration = Duration::minutes(5);
/// The time that a key is published after its successor was made: longer than all of the above and a
/// token's lifetime.
const PUBLISHED_AFTER: Duration = Duration::hours(1);
/// The age at which another key follows a key.
const SIGNS_FOR: Duration = Duration::days(30);

/// The signing keys of this database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Keys {
    pool: PgPool,
    clock: Clock,
    seal: Seal,
    cached: Arc<RwLock<Option<CachedKeys>>>,
}

/// Keys and when they were read.
type CachedKeys = (OffsetDateTime, Arc<KeySet>);

/// The keys of one moment.
pub struct KeySet {
    kid: String,
    key: EncodingKey,
    jwks: JwkSet,
}

impl std::fmt::Debug for KeySet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KeySet")
            .field("kid", &self.kid)
            .finish_non_exhaustive()
    }
}

impl KeySet {
    /// Signs a token.
    pub fn sign(&self, claims: &Claims) -> Result<String, Error> {
        let header = Header {
            kid: Some(self.kid.clone()),
            ..Header::new(Algorithm::EdDSA)
        };
        jsonwebtoken::encode(&header, claims, &self.key)
            .map_err(|error| Error::Crypto(error.to_string()))
    }

    /// The public keys of tokens that may still be valid.
    pub fn jwks(&self) -> &JwkSet {
        &self.jwks
    }
}

impl Keys {
    pub fn new(pool: PgPool, clock: Clock, seal: Seal) -> Self {
        Self {
            pool,
            clock,
            seal,
            cached: Arc::default(),
        }
    }

    /// The keys; the first call ever makes one.
    pub async fn current(&self) -> Result<Arc<KeySet>, Error> {
        let now = self.clock.now();
        let cached = self
            .cached
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        if let Some((at, set)) = cached
            && now - at < CACHED_FOR
        {
            return Ok(set);
        }
        let set = if let Some(set) = self.load().await? {
            set
        } else {
            self.rotate_if_older(Duration::ZERO, now).await?;
            let made = self.load().await?;
            made.ok_or_else(|| Error::Unreadable("there is no signing key".to_owned()))?
        };
        let set = Arc::new(set);
        *self.cached.write().unwrap_or_else(PoisonError::into_inner) =
            Some((now, Arc::clone(&set)));
        Ok(set)
    }

    /// Makes a new key, which signs in a few minutes. Tokens signed before stay good.
    pub async fn rotate(&self) -> Result<(), Error> {
        let mut tx = tiffin_database::begin(&self.pool).await?;
        signing_keys::lock_table(&mut tx).await?;
        self.seal_all(&mut tx).await?;
        insert_new(&mut tx, &self.clock, &self.seal).await?;
        tx.commit().await?;
        *self.cached.write().unwrap_or_else(PoisonError::into_inner) = None;
        Ok(())
    }

    /// Rotates when the current key has signed for a month.
    pub async fn rotate_when_due(&self) -> Result<(), Error> {
        self.rotate_if_older(SIGNS_FOR, self.clock.now()).await
    }

    /// Seals keys that are stored as they are, or under an older key of the configuration. An error says
    /// that a key can't be opened: nothing is changed and no other key is made.
    pub async fn seal_stored(&self) -> Result<(), Error> {
        let mut tx = tiffin_database::begin(&self.pool).await?;
        signing_keys::lock_table(&mut tx).await?;
        self.seal_all(&mut tx).await?;
        tx.commit().await?;
        Ok(())
    }

    async fn seal_all(&self, tx: &mut PgConnection) -> Result<(), Error> {
        for (kid, private_key) in signing_keys::private_keys(tx).await? {
            let plain = self.open(kid, &private_key)?;
            if self.seal.is_current(&private_key) {
                continue;
            }
            let sealed = self.seal.seal(&purpose(kid), &plain)?;
            signing_keys::set_private_key(tx, kid, &sealed).await?;
        }
        Ok(())
    }

    /// A stored key as PKCS #8. One from before keys were sealed is stored so.
    fn open(&self, kid: Uuid, stored: &[u8]) -> Result<Vec<u8>, Error> {
        if !is_sealed(stored) {
            return Ok(stored.to_owned());
        }
        let opened = self.seal.open(&purpose(kid), stored);
        opened.map_err(|error| {
            Error::Crypto(format!("the signing key {kid} can't be opened: {error}"))
        })
    }

    /// Rotates unless a key made after `now - age` signs: of many processes one does it.
    async fn rotate_if_older(&self, age: Duration, now: OffsetDateTime) -> Result<(), Error> {
        let mut tx = tiffin_database::begin(&self.pool).await?;
        signing_keys::lock_table(&mut tx).await?;
        let current = signing_keys::current_created_at(&mut tx).await?;
        let is_young = current.is_some_and(|created_at| age.is_zero() || created_at > now - age);
        if !is_young {
            self.seal_all(&mut tx).await?;
            insert_new(&mut tx, &self.clock, &self.seal).await?;
        }
        tx.commit().await?;
        Ok(())
    }

    async fn load(&self) -> Result<Option<KeySet>, Error> {
        let rows = signing_keys::list(&self.pool).await?;
        let made_by = self.clock.now() - PUBLISHED_BEFORE;
        let signing = rows.iter().find(|row| row.created_at <= made_by);
        // The first key ever signs at once.
        let Some(current) = signing.or(rows.last()) else {
            return Ok(None);
        };
        let keys = rows
            .iter()
            .map(|row| Jwk::new(row.kid, &row.public_key))
            .collect();
        Ok(Some(KeySet {
            kid: current.kid.to_string(),
            key: EncodingKey::from_ed_der(&self.open(current.kid, &current.private_key)?),
            jwks: JwkSet { keys },
        }))
    }
}

/// A JSON Web Key Set (RFC 7517).
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct JwkSet {
    keys: Vec<Jwk>,
}

/// One public key, as RFC 8037 writes it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Jwk {
    kty: &'static str,
    crv: &'static str,
    #[serde(rename = "use")]
    usage: &'static str,
    alg: &'static str,
    kid: String,
    x: String,
}

impl Jwk {
    fn new(kid: Uuid, public_key: &[u8]) -> Self {
        let x = URL_SAFE_NO_PAD.encode(public_key);
        Self {
            kty: "OKP",
            crv: "Ed25519",
            usage: "sig",
            alg: "EdDSA",
            kid: kid.to_string(),
            x,
        }
    }
}

/// The purpose that a signing key is sealed for.
fn purpose(kid: Uuid) -> String {
    format!("signing_keys/{kid}")
}

async fn insert_new(tx: &mut PgConnection, clock: &Clock, seal: &Seal) -> Result<(), Error> {
    let now = clock.now();
    let kid = clock.new_id();
    let pair = Ed25519KeyPair::generate().map_err(|error| Error::Crypto(error.to_string()))?;
    let private: Pkcs8V1Der<'_> = pair
        .as_der()
        .map_err(|error| Error::Crypto(error.to_string()))?;
    signing_keys::delete_retired(tx, now - PUBLISHED_AFTER).await?;
    signing_keys::retire_current(tx, now).await?;
    let key = SigningKey {
        kid,
        private_key: seal.seal(&purpose(kid), private.as_ref())?,
        public_key: pair.public_key().as_ref().to_vec(),
        created_at: now,
    };
    signing_keys::insert(tx, &key).await
}
