//! The texts of a copy's mails and of its description, in the languages of the pages.

use time::{OffsetDateTime, macros::format_description};

use crate::resets::Language;

/// The texts of one language. `{date}` is a day, `{service}` the name of a service, `{link}` the profile page.
pub(super) struct Texts {
    pub ready_subject: &'static str,
    pub ready: &'static str,
    pub button: &'static str,
    pub ready_warning: &'static str,
    pub failed_subject: &'static str,
    pub failed: &'static str,
    pub failed_at_service: &'static str,
    pub ask_again: &'static str,
    about: &'static str,
}

const EN: Texts = Texts {
    ready_subject: "Your copy is ready",
    ready: "The copy of all that Tiffin holds about you is ready. You can download it in your profile until {date}:",
    button: "Open your profile",
    ready_warning: "If you did not ask for it, change your password now and contact us.",
    failed_subject: "Your copy could not be made",
    failed: "The copy of all that Tiffin holds about you could not be made within a day.",
    failed_at_service: "A part of Tiffin did not answer: {service}.",
    ask_again: "You can ask for it again in your profile:",
    about: "This is all that Tiffin held about you on {date}.\n\n\
        Each file that ends in .json is the part of one service of Tiffin. It opens in any text editor.\n\
        The folder \"pictures\" has the pictures that you uploaded; media.json has their names.\n\
        Amounts that end in \"Cents\" are hundredths. Times are in UTC.\n\n\
        Passwords, codes and keys are not in it. Data about other people is not in it either.\n",
};

const SI: Texts = Texts {
    ready_subject: "ඔබේ පිටපත සූදානම්",
    ready: "Tiffin ඔබ ගැන තබාගෙන ඇති සියල්ලේ පිටපත සූදානම්. {date} දක්වා ඔබේ පැතිකඩෙන් එය බාගත හැක:",
    button: "ඔබේ පැතිකඩ විවෘත කරන්න",
    ready_warning: "ඔබ එය ඉල්ලුවේ නැත්නම්, දැන්ම ඔබේ මුරපදය වෙනස් කර අප හා සම්බන්ධ වන්න.",
    failed_subject: "ඔබේ පිටපත සෑදිය නොහැකි විය",
    failed: "Tiffin ඔබ ගැන තබාගෙන ඇති සියල්ලේ පිටපත දිනක් තුළ සෑදිය නොහැකි විය.",
    failed_at_service: "Tiffin හි කොටසක් පිළිතුරු දුන්නේ නැත: {service}.",
    ask_again: "ඔබේ පැතිකඩෙන් එය නැවත ඉල්ලිය හැක:",
    about: "මේ {date} දින Tiffin ඔබ ගැන තබාගෙන තිබූ සියල්ලයි.\n\n\
        .json යන්නෙන් අවසන් වන සෑම ගොනුවක්ම Tiffin හි එක් සේවාවක කොටසයි. එය ඕනෑම පෙළ සංස්කාරකයකින් විවෘත කළ හැක.\n\
        \"pictures\" ෆෝල්ඩරයේ ඔබ උඩුගත කළ පින්තූර ඇත; media.json හි ඒවායේ නම් ඇත.\n\
        \"Cents\" යන්නෙන් අවසන් වන මුදල් සියයෙන් පංගු වේ. වේලාවන් UTC අනුව වේ.\n\n\
        මුරපද, කේත සහ යතුරු එහි නැත. වෙනත් අය ගැන දත්තද එහි නැත.\n",
};

const TA: Texts = Texts {
    ready_subject: "உங்கள் நகல் தயார்",
    ready: "Tiffin உங்களைப் பற்றி வைத்திருக்கும் எல்லாவற்றின் நகலும் தயார். {date} வரை உங்கள் சுயவிவரத்தில் அதைப் பதிவிறக்கலாம்:",
    button: "உங்கள் சுயவிவரத்தைத் திற",
    ready_warning: "நீங்கள் கேட்கவில்லை என்றால், உடனே உங்கள் கடவுச்சொல்லை மாற்றி எங்களைத் தொடர்பு கொள்ளவும்.",
    failed_subject: "உங்கள் நகலை உருவாக்க முடியவில்லை",
    failed: "Tiffin உங்களைப் பற்றி வைத்திருக்கும் எல்லாவற்றின் நகலை ஒரு நாளுக்குள் உருவாக்க முடியவில்லை.",
    failed_at_service: "Tiffin இன் ஒரு பகுதி பதிலளிக்கவில்லை: {service}.",
    ask_again: "உங்கள் சுயவிவரத்தில் அதை மீண்டும் கேட்கலாம்:",
    about: "இது {date} அன்று Tiffin உங்களைப் பற்றி வைத்திருந்த எல்லாம்.\n\n\
        .json என முடியும் ஒவ்வொரு கோப்பும் Tiffin இன் ஒரு சேவையின் பகுதி. அதை எந்த உரைத் திருத்தியிலும் திறக்கலாம்.\n\
        \"pictures\" கோப்புறையில் நீங்கள் பதிவேற்றிய படங்கள் உள்ளன; media.json இல் அவற்றின் பெயர்கள் உள்ளன.\n\
        \"Cents\" என முடியும் தொகைகள் நூறில் பங்குகள். நேரங்கள் UTC இல் உள்ளன.\n\n\
        கடவுச்சொற்கள், குறியீடுகள், சாவிகள் அதில் இல்லை. மற்றவர்களின் தரவும் அதில் இல்லை.\n",
};

pub(super) fn texts(language: Language) -> &'static Texts {
    match language {
        Language::En => &EN,
        Language::Si => &SI,
        Language::Ta => &TA,
    }
}

/// The description of the ZIP file, of the day that it was made on.
pub(super) fn about(language: Language, now: OffsetDateTime) -> String {
    texts(language).about.replace("{date}", &day(now))
}

/// A day as every language reads it: 2026-11-25.
pub(super) fn day(at: OffsetDateTime) -> String {
    // A day of the calendar can always be written.
    at.format(format_description!("[year]-[month]-[day]"))
        .unwrap_or_default()
}
