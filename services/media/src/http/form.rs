use serde::Serialize;
use utoipa::ToSchema;

/// An upload as a form, for the description of the interface.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UploadForm)]
pub struct Form {
    /// The file; the field may have any name.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
    /// The time that browsers may keep it, in seconds.
    #[serde(rename = "cacheControl")]
    cache_control: Option<String>,
}
