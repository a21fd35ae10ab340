//! `${…}` in strings, and generators: values that are built instead of written out.
//!
//! [`resolve`] turns what an author wrote into what is sent. A string that is nothing but a template keeps the type of
//! the value it names; inside other text the value is written as text. `$${` is a `${` that means itself. Maps with one
//! key that starts with `$` are [generators](GENERATORS).

mod error;
mod generate;
mod path;
mod resolve;
mod resolved;
mod scope;
mod text;

pub use error::{Reason, ResolveError};
pub use generate::{GENERATORS, Generator, LITERAL_KEYS};
pub(super) use generate::{
    NOT_BASE64, NOT_HEX, Operand as GeneratorOperand, decode_base64, decode_hex, find as find_generator,
    is_key as is_generator_key,
};
pub use path::{MissingPath, Path, Segment};
pub(super) use resolve::{is_whole, is_written, member_name};
pub use resolve::{resolve, resolve_json, resolve_text};
pub use resolved::{BytesInJson, Resolved};
pub use scope::{Bound, Scope};
pub use text::{Template, TemplateError};
