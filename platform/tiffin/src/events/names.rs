//! Names that shells complete. The platform decides whether they are right: it may be a newer one.

use clap::{
    Arg, Command, Error,
    builder::{PossibleValue, StringValueParser, TypedValueParser},
};
use tiffin_events::Stream;

/// A stream's name, in any case.
#[derive(Clone, Debug)]
pub struct StreamName;

impl TypedValueParser for StreamName {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<String, Error> {
        let name = StringValueParser::new().parse_ref(command, arg, value)?;
        Ok(name.to_ascii_uppercase())
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(
            Stream::ALL
                .into_iter()
                .map(|stream| PossibleValue::new(stream.name())),
        ))
    }
}
