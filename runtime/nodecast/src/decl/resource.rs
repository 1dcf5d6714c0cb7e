//! What `#[resource]` and `#[prompt]` say.

use super::{CacheDecl, CacheScope, Deprecation, FieldDecl, IconDecl, Meta, Source};

/// A document that clients read by its URI; with fields, one for each way to fill its template.
#[derive(Clone, Copy, Debug)]
pub struct ResourceDecl {
    /// Name without the nodeset's prefix.
    pub name: &'static str,
    /// Its URI; with fields, a template of level 1 (RFC 6570) with one variable a field.
    pub uri: &'static str,
    /// Title for people.
    pub title: Option<&'static str>,
    /// Doc comment.
    pub doc: &'static str,
    /// Media type of its contents, where they do not say it themselves.
    pub mime: Option<&'static str>,
    /// How long what was read may be kept.
    pub cache: CacheDecl,
    /// Pictures beside its name.
    pub icons: &'static [IconDecl],
    /// Members of its `_meta`.
    pub meta: Meta,
    /// Why it should not be used any more.
    pub deprecated: Option<Deprecation>,
    /// The variables of the template, in declared order.
    pub fields: &'static [FieldDecl],
    /// Where it is declared.
    pub source: Source,
}

impl ResourceDecl {
    /// A resource with nothing but its name, its URI, its doc comment and its place.
    pub const fn new(name: &'static str, uri: &'static str, doc: &'static str, source: Source) -> Self {
        Self {
            name,
            uri,
            title: None,
            doc,
            mime: None,
            cache: CacheDecl::NONE,
            icons: &[],
            meta: &[],
            deprecated: None,
            fields: &[],
            source,
        }
    }

    /// Sets the title.
    #[must_use]
    pub const fn title(mut self, title: &'static str) -> Self {
        self.title = Some(title);
        self
    }

    /// Sets the media type.
    #[must_use]
    pub const fn mime(mut self, mime: &'static str) -> Self {
        self.mime = Some(mime);
        self
    }

    /// Says for how many milliseconds what was read may be kept.
    #[must_use]
    pub const fn ttl_ms(mut self, ttl_ms: u32) -> Self {
        self.cache.ttl_ms = Some(ttl_ms);
        self
    }

    /// Says who may keep what was read.
    #[must_use]
    pub const fn cache_scope(mut self, scope: CacheScope) -> Self {
        self.cache.scope = Some(scope);
        self
    }

    /// Sets the icons.
    #[must_use]
    pub const fn icons(mut self, icons: &'static [IconDecl]) -> Self {
        self.icons = icons;
        self
    }

    /// Sets the members of `_meta`.
    #[must_use]
    pub const fn meta(mut self, meta: Meta) -> Self {
        self.meta = meta;
        self
    }

    /// Says that it should not be used any more.
    #[must_use]
    pub const fn deprecated(mut self, deprecated: Deprecation) -> Self {
        self.deprecated = Some(deprecated);
        self
    }

    /// Sets the fields.
    #[must_use]
    pub const fn fields(mut self, fields: &'static [FieldDecl]) -> Self {
        self.fields = fields;
        self
    }
}

/// Messages that a person picks to begin with.
#[derive(Clone, Copy, Debug)]
pub struct PromptDecl {
    /// Name without the nodeset's prefix.
    pub name: &'static str,
    /// Title for people.
    pub title: Option<&'static str>,
    /// Doc comment.
    pub doc: &'static str,
    /// Pictures beside its name.
    pub icons: &'static [IconDecl],
    /// Members of its `_meta`.
    pub meta: Meta,
    /// Why it should not be used any more.
    pub deprecated: Option<Deprecation>,
    /// Its arguments, in declared order.
    pub fields: &'static [FieldDecl],
    /// Where it is declared.
    pub source: Source,
}

impl PromptDecl {
    /// A prompt without arguments, with nothing but its name, its doc comment and its place.
    pub const fn new(name: &'static str, doc: &'static str, source: Source) -> Self {
        Self { name, title: None, doc, icons: &[], meta: &[], deprecated: None, fields: &[], source }
    }

    /// Sets the title.
    #[must_use]
    pub const fn title(mut self, title: &'static str) -> Self {
        self.title = Some(title);
        self
    }

    /// Sets the icons.
    #[must_use]
    pub const fn icons(mut self, icons: &'static [IconDecl]) -> Self {
        self.icons = icons;
        self
    }

    /// Sets the members of `_meta`.
    #[must_use]
    pub const fn meta(mut self, meta: Meta) -> Self {
        self.meta = meta;
        self
    }

    /// Says that it should not be used any more.
    #[must_use]
    pub const fn deprecated(mut self, deprecated: Deprecation) -> Self {
        self.deprecated = Some(deprecated);
        self
    }

    /// Sets the fields.
    #[must_use]
    pub const fn fields(mut self, fields: &'static [FieldDecl]) -> Self {
        self.fields = fields;
        self
    }
}
