//! Passwords that attackers try first. Few whole passwords of the usual lists meet the password rule (one
//! capital, one symbol); people meet it by changing letters of a common word and adding characters at its ends:
//! `P@ssw0rd`, `Welcome@123`. The check undoes both before it looks the word up.

/// The words in the most common passwords, in lower case.
const WORDS: &str = "
    password passwort passw passwd pass passcode passphrase motdepasse contrasena senha parola
    welcome willkommen bienvenue hello hallo letmein login logon signin access open opensesame enter
    admin administrator root sysadmin superuser user username guest test tester testing demo temp
    default changeme change master manager support service server system secret private security
    secure computer internet windows microsoft google facebook linkedin adobe apple samsung iphone
    android linux oracle cisco database website network
    abc abcd abcde abcdef abcdefg abcdefgh abcabc xyz aaa aaaa asd asdf asdfg asdfgh asdfghjkl asdasd
    qwe qwer qwert qwerty qwertz qwertyu qwertyui qwertyuiop qweasd qweasdzxc qweqwe qaz qazwsx
    qazwsxedc zaq zaqwsx zxc zxcv zxcvb zxcvbn zxcvbnm azerty qwq wasd poiuytrewq lkjhgfdsa mnbvcxz
    monday tuesday wednesday thursday friday saturday sunday january february march april june july
    august september october november december spring summer autumn winter sommer
    iloveyou iloveu ilove loveyou lovely loveme love lover forever sweetheart sweetie honey darling
    angel angels baby babygirl babyboy princess prince queen king kingdom beautiful sunshine sunflower
    flower flowers rainbow butterfly chocolate cookie cookies cheese coffee pepper ginger banana
    orange cherry strawberry pumpkin peanut
    dragon monkey tiger tigers lion lions eagle eagles falcon panther wolf wolves bear bears kitty
    kitten puppy doggie horse horses dolphin dolphins shark turtle spider scorpion phoenix unicorn
    football baseball basketball soccer hockey cricket rugby golf tennis liverpool arsenal chelsea
    barcelona madrid juventus manchester united yankees cowboys lakers steelers
    superman batman spiderman ironman pokemon pikachu naruto starwars matrix ninja samurai warrior
    hunter ranger killer shadow phantom ghost vampire wizard magic merlin gandalf thunder lightning
    storm trustno trustme whatever nothing freedom liberty peace happy lucky smile friend friends
    family mother father brother sister mommy daddy jesus christ heaven faith blessed buddha krishna
    ganesh allah
    michael jordan jennifer jessica ashley daniel andrew joshua matthew robert charlie thomas george
    david james john maria anna nicole michelle hannah amanda sophie samantha william anthony joseph
    alexander alexandra patrick richard harley mustang ferrari porsche mercedes corvette yamaha honda
    toyota diamond silver golden gold platinum crystal purple yellow green black white blue
    india srilanka colombo london paris berlin america canada australia china japan pakistan
    bangladesh indonesia philippines nigeria mexico brasil brazil
    hacker hack blink metallica slipknot nirvana beatles guitar music dancer player gamer minecraft
    fortnite playstation nintendo xbox computer
    food foodie pizza burger kitchen restaurant chicken delivery driver customer order
    company office business market money dollar million success winner champion
";

/// Keyboard patterns, of which digits and symbols are a part.
const KEYBOARD_PATTERNS: &str = "1qaz!qaz !qaz2wsx 1qaz@wsx zaq1@wsx !qaz@wsx 1q2w3e4r! q1w2e3r4! qwer!@#$ asdf!@#$ qwer1234! \
    asdf1234! 1qaz2wsx! !q2w3e4r 1q@w3e4r 1q2w#e4r zaq!2wsx zaq!xsw2 q1w2e3r4t5! !@#$qwer 1234qwer! abcd1234! abc123!@# \
    qwe123!@# asd123!@# zxc123!@# aa123456! aa123456@ a1b2c3d4! pass123! pass@123word";

/// True if a password is among the first that attackers try.
pub fn is_common(password: &str) -> bool {
    let lower = password.to_lowercase();
    if KEYBOARD_PATTERNS
        .split_whitespace()
        .any(|pattern| pattern == lower)
    {
        return true;
    }
    let word = lower.trim_matches(|c: char| !c.is_alphabetic());
    // One or two letters among digits and symbols: `A@123456`.
    if word.chars().count() <= 2 {
        return true;
    }
    // `1` and `!` replace i as often as l; a character at either end may be decoration or part of the word.
    [word, lower.as_str()].iter().any(|text| {
        ['i', 'l']
            .iter()
            .any(|one| is_common_word(&undo_substitutions(text, *one)))
    })
}

fn is_common_word(word: &str) -> bool {
    let half = word.len() / 2;
    let doubled = word.len() >= 6 && word.is_char_boundary(half) && word[..half] == word[half..];
    let single = if doubled { &word[..half] } else { word };
    WORDS
        .split_whitespace()
        .any(|common| common == word || common == single)
}

/// Letters in place of the symbols and digits that replace them; `1` becomes `one`: `p@$$w0rd` is `password`.
fn undo_substitutions(text: &str, one: char) -> String {
    text.chars()
        .filter_map(|c| match c {
            '@' | '4' => Some('a'),
            '3' | '€' => Some('e'),
            '1' | '!' | '|' => Some(one),
            '0' => Some('o'),
            '$' | '5' => Some('s'),
            '7' | '+' => Some('t'),
            c => c.is_alphabetic().then_some(c),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::is_common;

    #[test]
    fn a_common_word_is_found_behind_symbols_and_digits() {
        for common in [
            "P@ssw0rd",
            "P@$$w0rd!",
            "Password1!",
            "Password@123",
            "PasswordPassword!",
            "Welcome@2024",
            "Summer2025!",
            "L3tMe!n2",
            "Admin#123",
            "Qwerty!@#",
            "1qaz!QAZ",
            "A@123456",
            "Aa@12345",
            "12345!Abc",
            "ILoveYou#1",
        ] {
            assert!(is_common(common), "{common}");
        }
    }

    #[test]
    fn other_passwords_pass() {
        for other in [
            "Tiffin@2026",
            "Kottu-Roti-9pm",
            "Xk4#pQ9z",
            "MangoRiver!7",
            "blueLamp&Kettle",
        ] {
            assert!(!is_common(other), "{other}");
        }
    }
}
