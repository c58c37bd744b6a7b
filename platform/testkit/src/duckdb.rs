use std::process::Command;

use crate::wheel;

/// DuckDB for Python 3.11, and for 3.12 and later.
const DUCKDB: &str = "duckdb==2.0.1 \
    --hash=sha256:eb32b389d99d14cbbec4c110f58237c77eacefc65ef6f737619f413c97a91a77 \
    --hash=sha256:39ffeb136abed770a496e5592a464f18a07b1543e7ddb1ff6453215e179f1647\n";

/// Python with DuckDB, another reader of Parquet files. It is fetched once.
pub fn duckdb() -> Command {
    let mut python = Command::new("python3");
    python
        .env(
            "PYTHONPATH",
            wheel::fetched("test-duckdb-2.0.1", DUCKDB, &[]),
        )
        .env("PYTHONDONTWRITEBYTECODE", "1");
    python
}
