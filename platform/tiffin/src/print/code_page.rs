//! Text for printers: code page 858, which has the letters of western Europe and the euro. Other scripts are written in
//! Latin letters.

use deunicode::deunicode_char;

/// The number of the code page in `ESC t`.
pub const NUMBER: u8 = 19;

/// The characters from 128 on.
const UPPER: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤\
                     ðÐÊËÈ€ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}";

/// The text in letters that the code page has. Control characters become spaces, so that no name is a command.
pub fn printable(text: &str) -> String {
    let mut printable = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            ' '..='~' => printable.push(letter),
            _ if letter.is_control() => printable.push(' '),
            _ if UPPER.contains(letter) => printable.push(letter),
            _ => printable.push_str(deunicode_char(letter).unwrap_or("?")),
        }
    }
    printable
}

/// The bytes of a text in the code page.
pub fn encode(text: &str) -> Vec<u8> {
    let byte = |letter: char| {
        let upper = UPPER.chars().position(|it| it == letter);
        let upper = upper.and_then(|at| u8::try_from(at + 128).ok());
        upper.or_else(|| u8::try_from(letter).ok().filter(u8::is_ascii))
    };
    let text = printable(text);
    text.chars()
        .map(|letter| byte(letter).unwrap_or(b'?'))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_128_characters_and_accents_come_out_right() {
        assert_eq!(UPPER.chars().count(), 128);
        assert_eq!(encode("é ñ €"), [0x82, b' ', 0xa4, b' ', 0xd5]);
    }

    #[test]
    fn other_scripts_come_in_latin_letters_and_no_text_is_a_command() {
        for text in ["කොත්තු රොටි", "கொத்து ரொட்டி", "炒饭", "🌶"]
        {
            let bytes = encode(text);
            assert!(bytes.iter().any(u8::is_ascii_alphabetic), "{text}");
            assert!(!bytes.contains(&b'?'), "{text}: {}", printable(text));
        }
        assert_eq!(encode("a\u{1b}@\nb"), b"a @ b");
    }
}
