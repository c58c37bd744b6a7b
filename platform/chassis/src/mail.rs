//! Sends mail: by SMTP if `SMTP_URL` is set, else as one file each.

use std::{
    fmt, fs, io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use lettre::{
    AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor,
    message::{Mailbox, MultiPart},
};
use time::OffsetDateTime;
use tokio::{
    fs::{DirBuilder, OpenOptions},
    io::AsyncWriteExt,
};
use uuid::Uuid;

use crate::{Env, env::EnvError};

/// The time-out of a connection to a mail server.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);
/// The time-out of the server's answer whether it took a mail.
const SEND_TIMEOUT: Duration = Duration::from_mins(5);

/// The mode of a folder of mails, which hold codes and names: its owner alone reads it.
const PRIVATE: u32 = 0o700;

/// The destination of mails. Cheap to clone.
#[derive(Clone)]
pub struct Mailer {
    from: Mailbox,
    destination: Destination,
}

#[derive(Clone)]
enum Destination {
    Smtp(AsyncSmtpTransport<Tokio1Executor>),
    Folder(Arc<PathBuf>),
}

/// One mail to one person, as text and as HTML.
#[derive(Clone, Debug)]
pub struct Mail {
    /// Names the mail: sent twice, it has the same `Message-ID` and is the same file.
    pub id: Uuid,
    pub to: String,
    pub subject: String,
    pub text: String,
    pub html: String,
    /// The time it was written.
    pub date: OffsetDateTime,
}

/// True of a text that may be an e-mail address.
pub fn is_address(text: &str) -> bool {
    text.is_ascii() && text.len() <= 254 && text.parse::<lettre::Address>().is_ok()
}

/// The reason why a mail was not sent.
#[derive(Debug, thiserror::Error)]
pub enum MailError {
    /// It may be sent later.
    #[error("{0}")]
    Temporary(String),
    /// It must not be tried again: the address is invalid, the server refused it finally, or the server did
    /// not say whether it took it.
    #[error("{0}")]
    Permanent(String),
}

impl fmt::Debug for Mailer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let destination = match &self.destination {
            Destination::Smtp(_) => "smtp".to_owned(),
            Destination::Folder(folder) => folder.display().to_string(),
        };
        f.debug_struct("Mailer")
            .field("destination", &destination)
            .finish_non_exhaustive()
    }
}

impl Mailer {
    /// By `SMTP_URL` (`smtps://user:password@host:465`, `smtp://host:587?tls=required`), else into the
    /// folder `TIFFIN_MAIL_DIR`, else into `$TIFFIN_HOME/mail`; a folder that is missing is made for its
    /// owner alone. The sender is `TIFFIN_MAIL_FROM`.
    pub fn new(env: &Env) -> Result<Self, EnvError> {
        let from = env
            .get("TIFFIN_MAIL_FROM")
            .unwrap_or("Tiffin <no-reply@tiffin.local>");
        let from = from
            .parse()
            .map_err(|error| invalid("TIFFIN_MAIL_FROM", &error))?;
        let destination = match env.get("SMTP_URL") {
            Some(url) => {
                let smtp = AsyncSmtpTransport::<Tokio1Executor>::from_url(url);
                let smtp = smtp.map_err(|error| invalid("SMTP_URL", &error))?;
                Destination::Smtp(smtp.timeout(Some(SEND_TIMEOUT)).build())
            }
            None => Destination::Folder(Arc::new(match env.get("TIFFIN_MAIL_DIR") {
                Some(folder) => PathBuf::from(folder),
                None => own_folder(env),
            })),
        };
        Ok(Self { from, destination })
    }

    /// The longest that [`Mailer::send`] takes. A process that takes up a mail must keep it for that long.
    pub const LONGEST: Duration = CONNECT_TIMEOUT.saturating_add(SEND_TIMEOUT);

    /// The longest that [`Mailer::send`] takes to this destination.
    pub fn longest(&self) -> Duration {
        match self.destination {
            Destination::Smtp(_) => Self::LONGEST,
            Destination::Folder(_) => Duration::from_secs(10),
        }
    }

    /// Sends a mail. Success means that the server took it, not that it arrives.
    pub async fn send(&self, mail: Mail) -> Result<(), MailError> {
        let id = mail.id;
        let message = self.write(mail)?;
        match &self.destination {
            Destination::Smtp(smtp) => by_smtp(smtp, message).await,
            Destination::Folder(folder) => {
                let draft = folder.join(format!(".{id}.draft"));
                DirBuilder::new()
                    .recursive(true)
                    .mode(PRIVATE)
                    .create(&**folder)
                    .await
                    .map_err(|error| temporary(&error))?;
                write_private(&draft, &message.formatted())
                    .await
                    .map_err(|error| temporary(&error))?;
                tokio::fs::rename(&draft, folder.join(format!("{id}.eml")))
                    .await
                    .map_err(|error| temporary(&error))
            }
        }
    }

    /// Deletes the files of mails to an address whose account is closed. What an SMTP server took is out of reach.
    pub async fn forget(&self, address: &str) -> io::Result<()> {
        let Destination::Folder(folder) = &self.destination else {
            return Ok(());
        };
        let mut files = match tokio::fs::read_dir(&**folder).await {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            files => files?,
        };
        while let Some(file) = files.next_entry().await? {
            let path = file.path();
            // Another process may have deleted it already.
            if path.extension().is_some_and(|it| it == "eml")
                && let Ok(mail) = tokio::fs::read(&path).await
                && is_to(&mail, address)
            {
                tokio::fs::remove_file(&path).await?;
            }
        }
        Ok(())
    }

    fn write(&self, mail: Mail) -> Result<Message, MailError> {
        let to = mail
            .to
            .parse()
            .map_err(|error| MailError::Permanent(format!("not an address: {error}")))?;
        Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .subject(mail.subject)
            .message_id(Some(format!("<{}@{}>", mail.id, self.from.email.domain())))
            .date(mail.date.into())
            .multipart(MultiPart::alternative_plain_html(mail.text, mail.html))
            .map_err(|error| MailError::Permanent(error.to_string()))
    }
}

/// True if a mail of the folder is to an address.
fn is_to(mail: &[u8], address: &str) -> bool {
    let text = String::from_utf8_lossy(mail);
    let head = text.split_once("\r\n\r\n").map_or(&*text, |(head, _)| head);
    let mut to = head.lines().filter_map(|line| line.strip_prefix("To: "));
    to.any(|to| {
        to.trim_matches(['<', '>'])
            .eq_ignore_ascii_case(address.trim())
    })
}

/// Sends a message by SMTP. Once that has begun, only an answer that the server did not take it is a temporary error:
/// a server that is slow or breaks the connection may have taken it.
async fn by_smtp(
    smtp: &AsyncSmtpTransport<Tokio1Executor>,
    message: Message,
) -> Result<(), MailError> {
    let late = |what: &str| format!("the server did not say in time {what}");
    match tokio::time::timeout(CONNECT_TIMEOUT, smtp.test_connection()).await {
        Ok(Ok(true)) => {}
        Ok(Ok(false)) => return Err(MailError::Temporary("the server is not ready".to_owned())),
        Ok(Err(error)) => return Err(MailError::Temporary(error.to_string())),
        Err(_) => return Err(MailError::Temporary(late("that it is there"))),
    }
    match tokio::time::timeout(SEND_TIMEOUT, smtp.send(message)).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) if error.is_transient() => Err(MailError::Temporary(error.to_string())),
        Ok(Err(error)) => Err(MailError::Permanent(error.to_string())),
        Err(_) => Err(MailError::Permanent(late("whether it took the mail"))),
    }
}

/// `$TIFFIN_HOME/mail`, closed to others where it is there and open to them. A folder that the operator
/// names is the operator's to open.
fn own_folder(env: &Env) -> PathBuf {
    let folder = PathBuf::from(env.get("TIFFIN_HOME").unwrap_or(".tiffin")).join("mail");
    if let Ok(found) = folder.metadata()
        && found.permissions().mode() & 0o077 != 0
        && let Err(error) = fs::set_permissions(&folder, fs::Permissions::from_mode(PRIVATE))
    {
        tracing::warn!(%error, folder = %folder.display(), "the mail folder can't be closed to other users of the machine");
    }
    folder
}

/// Writes a file that its owner alone reads: a mail is private, and may hold a code.
async fn write_private(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut open = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(file)
        .await?;
    open.write_all(bytes).await?;
    open.flush().await
}

fn invalid(name: &'static str, reason: &impl fmt::Display) -> EnvError {
    EnvError::Invalid {
        name,
        reason: reason.to_string(),
    }
}

fn temporary(error: &io::Error) -> MailError {
    MailError::Temporary(error.to_string())
}

/// Escapes text for HTML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use time::OffsetDateTime;
    use uuid::Uuid;

    use super::{Mail, MailError, Mailer, escape};
    use crate::Env;

    fn mail(to: &str) -> Mail {
        Mail {
            id: Uuid::from_u128(7),
            to: to.to_owned(),
            subject: "Your code".to_owned(),
            text: "123456".to_owned(),
            html: "<p>123456</p>".to_owned(),
            date: OffsetDateTime::UNIX_EPOCH,
        }
    }

    #[tokio::test]
    async fn without_a_server_a_mail_is_a_file_and_a_second_sending_is_the_same_file() {
        let folder = tempfile::tempdir().unwrap();
        let env = Env::from_pairs([("TIFFIN_MAIL_DIR", folder.path().to_str().unwrap())]);
        let post = Mailer::new(&env).unwrap();
        post.send(mail("nimal@tiffin.local")).await.unwrap();
        post.send(mail("nimal@tiffin.local")).await.unwrap();
        let files: Vec<_> = std::fs::read_dir(folder.path())
            .unwrap()
            .map(|file| file.unwrap().path())
            .collect();
        assert_eq!(files.len(), 1, "{files:?}");
        let mode = files[0].metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let text = std::fs::read_to_string(&files[0]).unwrap();
        assert!(
            text.contains("To: nimal@tiffin.local") && text.contains("<p>123456</p>"),
            "{text}"
        );
        assert!(
            text.contains("Message-ID: <00000000-0000-0000-0000-000000000007@tiffin.local>"),
            "{text}"
        );
    }

    #[tokio::test]
    async fn mails_to_a_closed_account_leave_the_folder_and_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        let env = Env::from_pairs([("TIFFIN_MAIL_DIR", folder.path().to_str().unwrap())]);
        let post = Mailer::new(&env).unwrap();
        post.forget("nimal@tiffin.local").await.unwrap();
        for (id, to) in [
            (1, "nimal@tiffin.local"),
            (2, "kamala@tiffin.local"),
            (3, "nimal@tiffin.local"),
        ] {
            let id = Uuid::from_u128(id);
            post.send(Mail { id, ..mail(to) }).await.unwrap();
        }
        post.forget("Nimal@Tiffin.local").await.unwrap();
        let files = std::fs::read_dir(folder.path()).unwrap();
        let files: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
        assert_eq!(files, [format!("{}.eml", Uuid::from_u128(2)).as_str()]);
    }

    #[tokio::test]
    async fn the_mail_folder_is_its_owners_alone() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("mail");
        let env = Env::from_pairs([("TIFFIN_HOME", home.path().to_str().unwrap())]);
        let mode = || folder.metadata().unwrap().permissions().mode() & 0o777;
        let post = Mailer::new(&env).unwrap();
        post.send(mail("nimal@tiffin.local")).await.unwrap();
        assert_eq!(mode(), 0o700);
        std::fs::set_permissions(&folder, PermissionsExt::from_mode(0o755)).unwrap();
        Mailer::new(&env).unwrap();
        assert_eq!(mode(), 0o700);
        // A folder that the operator names is the operator's to open.
        std::fs::set_permissions(&folder, PermissionsExt::from_mode(0o750)).unwrap();
        let named = Env::from_pairs([("TIFFIN_MAIL_DIR", folder.to_str().unwrap())]);
        let post = Mailer::new(&named).unwrap();
        post.send(mail("nimal@tiffin.local")).await.unwrap();
        assert_eq!(mode(), 0o750);
    }

    #[tokio::test]
    async fn an_address_that_is_none_is_never_tried_again() {
        let post = Mailer::new(&Env::from_pairs([("TIFFIN_MAIL_DIR", "unused")])).unwrap();
        assert!(matches!(
            post.send(mail("unknown")).await,
            Err(MailError::Permanent(_))
        ));
    }

    #[test]
    fn names_do_not_become_markup() {
        assert_eq!(escape("<b>\"&\""), "&lt;b&gt;&quot;&amp;&quot;");
    }
}
