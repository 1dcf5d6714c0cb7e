//! The rules of the linter: each with an id, and what to do about it.

/// How much a fault matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing.
    Notice,
    /// Some client drops a part of the schema, or may.
    Warning,
    /// Some client drops the tool, or all of them.
    Error,
}

/// One rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lint {
    /// Its name, stable over versions.
    pub id: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// Who cannot take it, and why that is.
    pub why: &'static str,
    /// What to write instead.
    pub instead: &'static str,
}

macro_rules! lints {
    ($($name:ident $id:literal $severity:ident $why:literal, $instead:literal;)*) => {
        $(pub(super) const $name: Lint =
            Lint { id: $id, severity: Severity::$severity, why: $why, instead: $instead };)*
        /// All rules.
        pub const LINTS: &[Lint] = &[$($name),*];
    };
}

lints! {
    BAD_NAME "bad_name" Error "the APIs of models take names of letters, digits, `_` and `-` alone, and refuse the whole request", "rename the tool, or set `name` on the node";
    LONG_NAME "long_name" Error "the APIs of models take names of at most 64 characters, and clients put the server's name before it", "shorten the name of the node or of the nodeset";
    DUPLICATE_NAME "duplicate_name" Error "clients keep one of the two, or refuse the list", "rename one of them";
    ROOT_TYPE "root_type" Error "MCP wants an object at the root, and clients refuse the whole list over one tool", "add `\"type\": \"object\"` at the root";
    INVALID_SCHEMA "invalid_schema" Error "SDKs compile every schema, and refuse the list over one that is none", "correct the keyword";
    DANGLING_REF "dangling_ref" Error "validators refuse the schema, and with it the tool", "define what it refers to under `$defs`, or correct the reference";
    REMOTE_REF "remote_ref" Error "clients fetch nothing, and drop the constraint or the tool", "put what it refers to into `$defs`";
    REF_OUTSIDE_DEFS "ref_outside_defs" Warning "clients that put references in place know `#/$defs/` alone; `#` makes some of them loop", "move what it refers to into `$defs`";
    BOOLEAN_SCHEMA "boolean_schema" Error "clients that read a schema as an object fail on a bool", "write what the value is; for anything, all types by `anyOf`";
    UNTYPED_SCHEMA "untyped_schema" Warning "models guess, and clients show a text field", "say the type; for anything, all types by `anyOf`";
    TYPE_ARRAY "type_array" Warning "the APIs of some models know one type a schema, and drop the tool or the constraint", "write the types as branches of `anyOf`, or leave null out and the property optional";
    UNKNOWN_FORMAT "unknown_format" Warning "some validators refuse a schema over a format that they do not know", "write bounds or a pattern instead";
    WRONG_DEFAULT "wrong_default" Error "clients fill the default in, and the call is refused", "correct the default or the schema";
    UNKNOWN_REQUIRED "unknown_required" Error "the APIs of some models refuse a required name without a property", "add the property, or take the name off `required`";
    HIDDEN_TEXT "hidden_text" Error "nobody sees these characters, and models read them: the way of tool poisoning", "take the characters out";
    HIDDEN_COMMENT "hidden_comment" Warning "a comment of HTML or Markdown is not shown, and models read it", "write it where people see it, or take it out";
    NO_DESCRIPTION "no_description" Warning "a model has nothing but the name to choose by", "write a doc comment";
}
