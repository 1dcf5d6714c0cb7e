//! A setting that nobody gets to see.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use secrecy::zeroize::Zeroize;
use secrecy::{ExposeSecret as _, SecretBox};
use serde::de::{Deserialize, Deserializer, Error as _};

/// A value that is read from outside and never written: a token, a password, a key.
///
/// `Debug` hides it, it has no `Display` and no `Serialize`, its schema says `writeOnly`, what is wrong with it is said
/// without it, and its memory is cleared when it is dropped.
///
/// ```
/// use nodecast::Secret;
///
/// #[derive(Debug, Default, serde::Deserialize, schemars::JsonSchema)]
/// #[serde(default)]
/// struct Settings {
///     /// Token of the upstream service.
///     token: Secret<String>,
/// }
///
/// let settings: Settings = serde_json::from_str(r#"{ "token": "hunter2" }"#)?;
/// assert_eq!(settings.token.expose(), "hunter2");
/// assert!(!format!("{settings:?}").contains("hunter2"));
/// # Ok::<(), serde_json::Error>(())
/// ```
pub struct Secret<T: Zeroize>(SecretBox<T>);

impl<T: Zeroize> Secret<T> {
    /// Hides a value.
    pub fn new(value: T) -> Self {
        Self(SecretBox::new(Box::new(value)))
    }

    /// The value, for who needs it.
    pub fn expose(&self) -> &T {
        self.0.expose_secret()
    }
}

impl<T: Zeroize + Default> Default for Secret<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T: Zeroize> From<T> for Secret<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T: Zeroize> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl<'de, T: Zeroize + Deserialize<'de>> Deserialize<'de> for Secret<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Messages of serde quote what they do not take.
        T::deserialize(deserializer).map(Self::new).map_err(|_| D::Error::custom("the secret has the wrong form"))
    }
}

impl<T: Zeroize + JsonSchema> JsonSchema for Secret<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Secret_of_{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = generator.subschema_for::<T>();
        schema.insert("writeOnly".to_owned(), true.into());
        schema
    }
}
