//! The mails of a password reset, in the language that it was asked for in.

use serde::Deserialize;
use sqlx::PgConnection;
use time::Duration;
use utoipa::ToSchema;

use super::LIFETIME;
use crate::{
    Error, State,
    mails::{self, MailText},
};

/// The time after which the mail about a changed password is not sent any more.
const CHANGED_LIFETIME: Duration = Duration::days(1);

/// The languages of the pages: English, Sinhala, Tamil.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Language {
    #[default]
    En,
    Si,
    Ta,
}

struct Texts {
    link_subject: &'static str,
    asked: &'static str,
    button: &'static str,
    ignore: &'static str,
    changed_subject: &'static str,
    changed: &'static str,
    warning: &'static str,
}

const EN: Texts = Texts {
    link_subject: "A new password for Tiffin",
    asked: "A new password was asked for with this e-mail address. The link is good once, for {minutes} minutes:",
    button: "Set a new password",
    ignore: "If you did not ask for it, ignore this mail: your password stays as it is.",
    changed_subject: "Your Tiffin password was changed",
    changed: "Your Tiffin account has a new password. All devices are signed out.",
    warning: "If that was not you, ask for a new password now and contact us.",
};

const SI: Texts = Texts {
    link_subject: "Tiffin සඳහා නව මුරපදයක්",
    asked: "මෙම විද්‍යුත් තැපැල් ලිපිනය සඳහා නව මුරපදයක් ඉල්ලා ඇත. මෙම සබැඳිය මිනිත්තු {minutes}ක් තුළ එක් වරක් පමණක් භාවිත කළ හැක:",
    button: "නව මුරපදයක් සකසන්න",
    ignore: "ඔබ එය ඉල්ලුවේ නැත්නම් මෙම පණිවිඩය නොසලකා හරින්න: ඔබේ මුරපදය වෙනස් නොවේ.",
    changed_subject: "ඔබේ Tiffin මුරපදය වෙනස් කළා",
    changed: "ඔබේ Tiffin ගිණුමට නව මුරපදයක් ඇත. සියලු උපාංග ගිණුමෙන් ඉවත් කළා.",
    warning: "එය කළේ ඔබ නොවේ නම්, දැන්ම නව මුරපදයක් ඉල්ලා අප හා සම්බන්ධ වන්න.",
};

const TA: Texts = Texts {
    link_subject: "Tiffin கணக்கிற்குப் புதிய கடவுச்சொல்",
    asked: "இந்த மின்னஞ்சல் முகவரிக்குப் புதிய கடவுச்சொல் கேட்கப்பட்டது. இந்த இணைப்பை {minutes} நிமிடங்களுக்குள் ஒரு முறை மட்டுமே பயன்படுத்தலாம்:",
    button: "புதிய கடவுச்சொல்லை அமை",
    ignore: "நீங்கள் கேட்கவில்லை என்றால், இந்த மின்னஞ்சலைப் புறக்கணிக்கவும்: உங்கள் கடவுச்சொல் மாறாது.",
    changed_subject: "உங்கள் Tiffin கடவுச்சொல் மாற்றப்பட்டது",
    changed: "உங்கள் Tiffin கணக்கிற்குப் புதிய கடவுச்சொல் உள்ளது. எல்லாச் சாதனங்களும் வெளியேற்றப்பட்டன.",
    warning: "அது நீங்கள் இல்லை என்றால், உடனே புதிய கடவுச்சொல்லைக் கேட்டு எங்களைத் தொடர்பு கொள்ளவும்.",
};

impl Language {
    /// As it is stored.
    pub fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Si => "si",
            Self::Ta => "ta",
        }
    }

    /// A stored language.
    pub fn read(code: &str) -> Self {
        match code {
            "si" => Self::Si,
            "ta" => Self::Ta,
            _ => Self::En,
        }
    }

    fn texts(self) -> &'static Texts {
        match self {
            Self::En => &EN,
            Self::Si => &SI,
            Self::Ta => &TA,
        }
    }
}

/// Queues the mail with the link. The token is in the link's fragment, which browsers send to no server: no
/// log has it.
pub(super) async fn queue_link(
    tx: &mut PgConnection,
    state: &State,
    to: &str,
    language: Language,
    token: &str,
) -> Result<(), Error> {
    if state.config.site.is_empty() {
        tracing::warn!("TIFFIN_PUBLIC_URL is not set: a mailed link has no host");
    }
    let link = format!("{}/reset-password#token={token}", state.config.site);
    let text = link_mail(language, &link);
    mails::queue(tx, &state.clock, to, LIFETIME, text).await
}

fn link_mail(language: Language, link: &str) -> MailText {
    let texts = language.texts();
    let asked = texts
        .asked
        .replace("{minutes}", &LIFETIME.whole_minutes().to_string());
    let (button, ignore) = (texts.button, texts.ignore);
    MailText {
        subject: texts.link_subject.to_owned(),
        text: format!("{asked}\n\n{link}\n\n{ignore}\n"),
        html: format!("<p>{asked}</p><p><a href=\"{link}\">{button}</a></p><p>{ignore}</p>"),
    }
}

/// Queues the mail that says that the password is new (ASVS 6.3.7).
pub(crate) async fn queue_changed(
    tx: &mut PgConnection,
    state: &State,
    to: &str,
    language: Language,
) -> Result<(), Error> {
    let texts = language.texts();
    let (changed, warning) = (texts.changed, texts.warning);
    let text = MailText {
        subject: texts.changed_subject.to_owned(),
        text: format!("{changed}\n\n{warning}\n"),
        html: format!("<p>{changed}</p><p>{warning}</p>"),
    };
    mails::queue(tx, &state.clock, to, CHANGED_LIFETIME, text).await
}

#[cfg(test)]
mod tests {
    use super::{Language, link_mail};

    #[test]
    fn the_mail_has_the_link_and_its_time_in_every_language() {
        let link = "https://tiffin.example/reset-password#token=abc";
        for language in [Language::En, Language::Si, Language::Ta] {
            let mail = link_mail(language, link);
            for body in [&mail.text, &mail.html] {
                assert!(body.contains(link) && body.contains("30"), "{body}");
                assert!(!body.contains("{minutes}"), "{body}");
            }
            assert_eq!(Language::read(language.code()), language);
        }
    }
}
