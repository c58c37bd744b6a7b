use std::collections::HashSet;

use sqlx::{Connection, PgConnection};
use uuid::Uuid;

use crate::platform::Up;

/// The owner's board beside the database.
pub struct Board {
    database: PgConnection,
    /// The owner's token.
    pub owner: String,
    shown: HashSet<Uuid>,
    pub comparisons: usize,
    pub most_open: usize,
}

impl Board {
    pub async fn open(up: &Up, owner: &str) -> Self {
        let url = up.running()["databases"]["order"]
            .as_str()
            .unwrap()
            .to_owned();
        Self {
            database: PgConnection::connect(&url).await.unwrap(),
            owner: owner.to_owned(),
            shown: HashSet::new(),
            comparisons: 0,
            most_open: 0,
        }
    }

    /// Compares the board with the database: an order that is open before and after must be on it. Returns the orders
    /// that it shows for the first time.
    pub async fn compare(&mut self, up: &Up) -> Vec<Uuid> {
        let before = self.stored().await;
        let board = self.board(up).await;
        let after = self.stored().await;
        let missing: Vec<_> = before
            .intersection(&after)
            .filter(|id| !board.contains(id))
            .collect();
        assert!(missing.is_empty(), "the board does not show {missing:?}");
        self.comparisons += 1;
        self.most_open = self.most_open.max(before.len());
        board
            .into_iter()
            .filter(|id| self.shown.insert(*id))
            .collect()
    }

    async fn stored(&mut self) -> HashSet<Uuid> {
        let open: Vec<Uuid> = sqlx::query_scalar(
            "select id from orders where deleted_at is null and status not in ('delivered', 'cancelled')",
        )
        .fetch_all(&mut self.database)
        .await
        .unwrap();
        open.into_iter().collect()
    }

    async fn board(&mut self, up: &Up) -> HashSet<Uuid> {
        let path = "/api/v1/orders?isOpen=true&sort=oldest&limit=500";
        let rows = up.get(path, &self.owner).await;
        let rows = rows.as_array().unwrap();
        assert!(rows.len() < 500, "this test reads one page");
        let ids = rows.iter().map(|row| row["_id"].as_str().unwrap());
        ids.map(|id| id.parse().unwrap()).collect()
    }
}
