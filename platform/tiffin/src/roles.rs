//! One database role for each service, which owns its database and may connect to no other.

use std::str::FromStr;

use anyhow::{Context, Result};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, postgres::PgConnectOptions};

/// True if the user of `url` is a superuser, who can make roles and give them databases.
pub async fn can_be_created(url: &str) -> Result<bool> {
    let mut connection = connect(url).await?;
    let can = sqlx::query_scalar("select rolsuper from pg_roles where rolname = current_user")
        .fetch_one(&mut connection)
        .await?;
    connection.close().await?;
    Ok(can)
}

/// Makes the role and the database `name`, or takes both as they are: the role with `password`, the
/// database and all in it the role's alone.
pub async fn ensure(url: &str, name: &str, password: &str) -> Result<()> {
    let mut connection = connect(url).await?;
    let has = async |sql: &'static str, connection: &mut PgConnection| -> sqlx::Result<bool> {
        sqlx::query_scalar(sql)
            .bind(name)
            .fetch_one(connection)
            .await
    };
    let verb = if has(
        "select exists (select from pg_roles where rolname = $1)",
        &mut connection,
    )
    .await?
    {
        "alter"
    } else {
        "create"
    };
    // The name is one of ours and the password of letters and digits: neither can end its quotes.
    run(&mut connection, format!(
        "{verb} role {name} with login nosuperuser nocreatedb nocreaterole noreplication nobypassrls \
         password '{password}'"
    ))
    .await?;
    if has(
        "select exists (select from pg_database where datname = $1)",
        &mut connection,
    )
    .await?
    {
        run(
            &mut connection,
            format!("alter database {name} owner to {name}"),
        )
        .await?;
        change_owners(url, name).await?;
    } else {
        run(
            &mut connection,
            format!("create database {name} owner {name}"),
        )
        .await?;
    }
    run(
        &mut connection,
        format!("revoke connect, temporary on database {name} from public"),
    )
    .await?;
    connection.close().await?;
    Ok(())
}

/// Closes the server's own databases to all users but its superuser.
pub async fn close_others(url: &str) -> Result<()> {
    let mut connection = connect(url).await?;
    for name in ["postgres", "template1"] {
        run(
            &mut connection,
            format!("revoke connect on database {name} from public"),
        )
        .await?;
    }
    connection.close().await?;
    Ok(())
}

/// The address with which the role connects to its database.
pub fn address(url: &str, name: &str, password: &str) -> Result<String> {
    let mut own = url::Url::parse(url).context("DATABASE_URL can't be read")?;
    own.set_path(name);
    let set = own
        .set_username(name)
        .and_then(|()| own.set_password(Some(password)));
    set.ok().context("DATABASE_URL names no host")?;
    Ok(own.to_string())
}

/// SQL that makes the role the owner of the objects that the superuser created in its database.
const CHANGE_OWNERS: &str = "do $$
declare it record;
begin
  for it in
    select format('schema %I', nspname) as thing from pg_namespace
      where nspname !~ '^pg_' and nspname <> 'information_schema' and nspowner <> 'NAME'::regrole
    union all
    select format('%s %I.%I', case relkind when 'v' then 'view' when 'm' then 'materialized view'
        when 'S' then 'sequence' else 'table' end, nspname, relname)
      from pg_class c join pg_namespace n on n.oid = relnamespace
      where nspname !~ '^pg_' and nspname <> 'information_schema' and relowner <> 'NAME'::regrole
        and relkind in ('r', 'p', 'v', 'm', 'S')
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i', 'e'))
    union all
    select format('routine %I.%I(%s)', nspname, proname, pg_get_function_identity_arguments(p.oid))
      from pg_proc p join pg_namespace n on n.oid = pronamespace
      where nspname !~ '^pg_' and nspname <> 'information_schema' and proowner <> 'NAME'::regrole
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  loop
    execute 'alter ' || it.thing || ' owner to NAME';
  end loop;
end $$";

async fn change_owners(url: &str, name: &str) -> Result<()> {
    let options = PgConnectOptions::from_str(url)
        .context("DATABASE_URL can't be read")?
        .database(name);
    let mut connection = PgConnection::connect_with(&options)
        .await
        .with_context(|| format!("the database {name} can't be reached"))?;
    run(&mut connection, CHANGE_OWNERS.replace("NAME", name)).await?;
    connection.close().await?;
    Ok(())
}

async fn connect(url: &str) -> Result<PgConnection> {
    PgConnection::connect(url)
        .await
        .context("the database server can't be reached")
}

async fn run(connection: &mut PgConnection, sql: String) -> Result<()> {
    connection.execute(AssertSqlSafe(sql)).await?;
    Ok(())
}
