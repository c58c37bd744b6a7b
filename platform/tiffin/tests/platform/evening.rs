use std::process::Command;

use sqlx::PgPool;

use crate::stack::Stack;

#[tokio::test]
async fn no_account_with_the_demos_password_is_made_where_there_is_no_demo() {
    let stack = Stack::start("evening").await;
    let played = Command::new(env!("CARGO_BIN_EXE_tiffin"))
        .args(["demo", "day", "--orders", "5"])
        .env("TIFFIN_HOME", stack.home())
        .output()
        .unwrap();
    assert!(!played.status.success());
    let said = String::from_utf8(played.stderr).unwrap();
    assert!(said.contains("has no demo to play in"), "{said}");
    let databases = stack.databases();
    let (_, url) = databases.iter().find(|(name, _)| name == "user").unwrap();
    let pool = PgPool::connect(url).await.unwrap();
    let accounts: i64 = sqlx::query_scalar("select count(*) from users")
        .fetch_one(&pool)
        .await
        .unwrap();
    assert_eq!(accounts, 0);
}
