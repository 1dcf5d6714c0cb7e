//! The lists of a face: made once, given out by the page, with how long each may be kept.

use std::sync::Arc;

use rmcp::model::{
    CacheScope, ErrorData, Icon, ListToolsResult, MetaObject, PaginatedRequestParams, Prompt, Resource,
    ResourceTemplate, Tool, ToolAnnotations,
};
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use crate::catalog::{Template, Text};
use crate::contract::{self, DEFAULT_TTL_MS};
use crate::decl::{self, CacheDecl};
use crate::serve::server::Hosted;

/// Entries of one page, where no nodeset says it.
const PAGE: u32 = 100;

/// What a face lists.
#[derive(Default)]
pub(super) struct Lists {
    pub(super) tools: Vec<Tool>,
    pub(super) resources: Vec<Resource>,
    pub(super) templates: Vec<ResourceTemplate>,
    pub(super) prompts: Vec<Prompt>,
    /// What reads the resources, the form of their URIs, and their full names.
    readers: Vec<(Template, (Arc<Hosted>, Text))>,
    page: usize,
    /// How long the lists may be kept.
    pub(super) cache: Cache,
    private: bool,
}

/// How long a result may be kept, and by whom.
#[derive(Clone, Copy)]
pub(super) struct Cache {
    pub(super) ttl_ms: u64,
    pub(super) scope: CacheScope,
}

impl Default for Cache {
    fn default() -> Self {
        Self { ttl_ms: DEFAULT_TTL_MS.into(), scope: CacheScope::Public }
    }
}

impl Cache {
    fn of(own: CacheDecl, of_nodeset: CacheDecl, private: bool) -> Self {
        let scope = match own.scope.or(of_nodeset.scope) {
            Some(decl::CacheScope::Public) => CacheScope::Public,
            Some(decl::CacheScope::Private) => CacheScope::Private,
            // What a token opens is nobody else's to see, unless the declaration says so.
            None => {
                if private {
                    CacheScope::Private
                } else {
                    CacheScope::Public
                }
            }
        };
        Self { ttl_ms: own.ttl_ms.or(of_nodeset.ttl_ms).unwrap_or(DEFAULT_TTL_MS).into(), scope }
    }
}

impl Lists {
    /// The lists of these nodesets beside their tools; `private` where a token opens them.
    pub(super) fn new(nodesets: &[Arc<Hosted>], tools: Vec<Tool>, private: bool) -> Result<Self, String> {
        let mut lists = Self { tools, private, ..Self::default() };
        let mut seen = std::collections::BTreeMap::new();
        for hosted in nodesets {
            let catalog = &hosted.catalog;
            lists.resources.extend(read(contract::resources(catalog))?);
            lists.templates.extend(read(contract::templates(catalog))?);
            lists.prompts.extend(read(contract::prompts(catalog))?);
            for resource in &catalog.resources {
                if let Some(other) = seen.insert(&*resource.uri, hosted.name()) {
                    return Err(format!("both `{other}` and `{}` have the resource `{}`", hosted.name(), resource.uri));
                }
                let template = Template::new(&resource.uri)
                    .map_err(|problem| format!("the URI of `{}`: {problem}", resource.full_name))?;
                lists.readers.push((template, (hosted.clone(), resource.full_name.clone())));
            }
        }
        let catalogs = || nodesets.iter().map(|hosted| &hosted.catalog);
        // One list for several nodesets: the shortest page and life that one of them asks for.
        lists.page = catalogs().filter_map(|catalog| catalog.page_size).min().unwrap_or(PAGE) as usize;
        let all = catalogs().map(|catalog| Cache::of(catalog.cache, CacheDecl::NONE, private));
        lists.cache = all.reduce(Cache::stricter).unwrap_or_default();
        Ok(lists)
    }

    /// The nodeset that reads a URI, if one of them does, and the full name of the resource.
    pub(super) fn reader(&self, uri: &str) -> Option<&(Arc<Hosted>, Text)> {
        // A nodeset that has it as it stands goes before one that has a template for it.
        let mut all = self.readers.iter().filter_map(|(template, reader)| Some((template.values(uri)?, reader)));
        let mut first = None;
        all.find_map(|(values, reader)| {
            first.get_or_insert(reader);
            values.is_empty().then_some(reader)
        })
        .or(first)
    }

    /// How long what was read of a resource may be kept.
    pub(super) fn cache_of(&self, own: CacheDecl, of_nodeset: CacheDecl) -> Cache {
        Cache::of(own, of_nodeset, self.private)
    }

    /// One page of a list, and the cursor of the next.
    pub(super) fn page<T: Clone>(
        &self,
        all: &[T],
        request: Option<PaginatedRequestParams>,
    ) -> Result<(Vec<T>, Option<String>), ErrorData> {
        let start = match request.and_then(|request| request.cursor) {
            None => 0,
            Some(cursor) => page_start(&cursor, all.len(), self.page)
                .ok_or_else(|| ErrorData::invalid_params("the cursor is not one of this list", None))?,
        };
        Ok(self.page_from(all, start))
    }

    fn page_from<T: Clone>(&self, all: &[T], start: usize) -> (Vec<T>, Option<String>) {
        let end = start + self.page;
        let page = all.iter().skip(start).take(self.page).cloned().collect();
        (page, (end < all.len()).then(|| cursor(end)))
    }

    /// All pages of the tools, in order; at least one, which may be empty.
    pub(super) fn tool_pages(&self) -> impl Iterator<Item = ListToolsResult> {
        (0..self.tools.len().max(1)).step_by(self.page.max(1)).map(|start| {
            let (page, next) = self.page_from(&self.tools, start);
            let mut result = ListToolsResult::with_all_items(page);
            result.next_cursor = next;
            result.with_ttl_ms(self.cache.ttl_ms).with_cache_scope(self.cache.scope)
        })
    }

    /// Which of these pages a cursor stands for.
    pub(super) fn tool_page(&self, cursor: &str) -> Option<usize> {
        page_start(cursor, self.tools.len(), self.page).map(|start| start / self.page.max(1))
    }
}

impl Cache {
    fn stricter(self, other: Self) -> Self {
        let private = matches!(self.scope, CacheScope::Private) || matches!(other.scope, CacheScope::Private);
        let scope = if private { CacheScope::Private } else { CacheScope::Public };
        Self { ttl_ms: self.ttl_ms.min(other.ttl_ms), scope }
    }
}

fn cursor(start: usize) -> String {
    format!("from-{start}")
}

fn page_start(cursor: &str, entries: usize, page: usize) -> Option<usize> {
    let start: usize = cursor.strip_prefix("from-")?.parse().ok()?;
    (start > 0 && start < entries && start.is_multiple_of(page)).then_some(start)
}

/// Elements as the contract lists them, in rmcp's types.
fn read<T: DeserializeOwned>(listed: Vec<Json>) -> Result<Vec<T>, String> {
    // The contract writes what the protocol says, so the error is out of reach.
    listed.into_iter().map(|one| serde_json::from_value(one).map_err(|error| error.to_string())).collect()
}

/// Icons as the contract lists them.
pub(super) fn icons(icons: Vec<Json>) -> Result<Option<Vec<Icon>>, String> {
    if icons.is_empty() { Ok(None) } else { read(icons).map(Some) }
}

/// A tool of the contract in rmcp's type.
pub(super) fn tool(tool: contract::Tool) -> Result<Tool, String> {
    let contract::Tool { name, title, description, input_schema, output_schema, annotations, icons, meta } = tool;
    let mut made = Tool::new_with_raw(name, description.map(Into::into), Arc::new(input_schema));
    made.meta = (!meta.is_empty()).then(|| MetaObject(meta));
    made.title = title;
    made.output_schema = output_schema.map(Arc::new);
    made.annotations = annotations.map(|hints| {
        ToolAnnotations::from_raw(None, hints.read_only, hints.destructive, hints.idempotent, hints.open_world)
    });
    made.icons = self::icons(icons)?;
    Ok(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b75_cursors() {
        assert_eq!(page_start(&cursor(100), 250, 100), Some(100));
        assert_eq!(page_start(&cursor(200), 250, 100), Some(200));
        assert_eq!(page_start(&cursor(3), 4, 3), Some(3));
        for junk in ["", "from-", "from-0", "from-50", "from-300", "100", "from--1", "from-99999999999999999999"] {
            assert_eq!(page_start(junk, 250, 100), None, "{junk}");
        }
    }

    #[test]
    fn several_nodesets_are_kept_as_the_strictest_of_them() {
        let decl = |ttl_ms, scope| CacheDecl { ttl_ms, scope };
        let cache = |own, private| Cache::of(own, CacheDecl::NONE, private);
        let open = cache(decl(Some(9_000), None), false);
        let both = open.stricter(cache(decl(None, Some(decl::CacheScope::Private)), false));
        assert_eq!((both.ttl_ms, both.scope), (9_000, CacheScope::Private));
        assert_eq!((open.ttl_ms, open.scope), (9_000, CacheScope::Public));
        assert_eq!(cache(CacheDecl::NONE, true).scope, CacheScope::Private);
        assert_eq!(cache(decl(None, Some(decl::CacheScope::Public)), true).scope, CacheScope::Public);
        let own = Cache::of(decl(Some(0), None), decl(Some(5), Some(decl::CacheScope::Private)), false);
        assert_eq!((own.ttl_ms, own.scope), (0, CacheScope::Private));
    }
}
