//! Ten thousand structs that nobody wrote, from a seed: none makes a macro panic, and each expansion is Rust.
//!
//! Mostly sound words in sound places, so that many are accepted and the rest fail deep inside, not at the first token.

use std::thread;

use proc_macro2::{TokenStream, TokenTree};
use syn::File;

const STRUCTS: usize = 10_000;

/// xorshift64*: the same structs on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(high).unwrap() % sides
    }

    fn one_in(&mut self, sides: usize) -> bool {
        self.roll(sides) == 0
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.roll(of.len())]
    }

    /// Up to `most` of these, in a list.
    fn some(&mut self, most: usize, mut make: impl FnMut(&mut Self) -> String) -> String {
        let count = self.roll(most + 1);
        (0..count).map(|_| make(self)).collect::<Vec<_>>().join(", ")
    }

    fn number(&mut self) -> String {
        let sign = if self.one_in(4) { "-" } else { "" };
        let size = [9, 300, 70_000][self.roll(3)];
        let digits = self.roll(size);
        match self.roll(8) {
            0 => format!("{sign}{digits}.{}", self.roll(100)),
            1 => format!("{sign}{digits}e{}", self.roll(400)),
            2 => format!("{sign}0x{digits:x}"),
            3 => {
                self.pick(&["f32::NAN", "18446744073709551616", "true", "\"1\"", "(1)", "-(-1)", "1_000u8"]).to_owned()
            }
            _ => format!("{sign}{digits}"),
        }
    }

    fn text(&mut self) -> String {
        let text = self.pick(&[
            "a",
            "b",
            "kernel",
            "größe",
            "a b",
            "$ref",
            "__proto__",
            "__ndarray__",
            "",
            "x__y",
            "TEXT",
            "LIST[IMAGE]",
            "LIST[LIST[ANY]]",
            "IMAG",
            "model",
            "null",
            "X-Region",
            "\\u{202e}",
            "\\0",
            "::nodecast",
            "a::b",
            "shared",
            "replicated",
            "schema.json",
        ]);
        format!("\"{text}\"")
    }

    fn value(&mut self) -> String {
        if self.one_in(2) { self.number() } else { self.text() }
    }

    fn name(&mut self) -> &'static str {
        self.pick(&["a", "b", "c", "left", "r#type", "r#match", "größe", "self_", "args", "lease", "__ndarray__", "_x"])
    }

    fn ty(&mut self, depth: usize) -> String {
        if depth == 0 || self.one_in(2) {
            return self
                .pick(&[
                    "u8",
                    "u64",
                    "i32",
                    "i128",
                    "u128",
                    "usize",
                    "f32",
                    "f64",
                    "bool",
                    "String",
                    "char",
                    "Image",
                    "Bytes",
                    "Value",
                    "Mode",
                    "a::b::C",
                    "()",
                    "&'static str",
                    "&'a [u8]",
                    "!",
                    "_",
                    "dyn Fn()",
                    "impl Copy",
                    "*const u8",
                    "fn(u8) -> f32",
                    "ty!(x)",
                    "<A as B>::C",
                    "Self",
                ])
                .to_owned();
        }
        let inner = self.ty(depth - 1);
        match self.roll(9) {
            0 => format!("Option<{inner}>"),
            1 => format!("Vec<{inner}>"),
            2 => format!("[{inner}; 3]"),
            3 => format!("({inner}, {})", self.ty(depth - 1)),
            4 => format!("std::collections::BTreeMap<{}, {inner}>", self.ty(depth - 1)),
            5 => format!("Box<{inner}>"),
            6 => format!("Cow<'a, {inner}>"),
            7 => format!("({inner})"),
            _ => format!("Mine<{inner}, N = 3, 4>"),
        }
    }

    fn widget(&mut self) -> String {
        match self.roll(9) {
            0 => "select".to_owned(),
            1 => {
                let options = self.some(3, |dice| match dice.roll(3) {
                    0 => format!("{} = {}", dice.text(), dice.text()),
                    1 => dice.value(),
                    _ => dice.text(),
                });
                format!("select({options})")
            }
            2 => {
                let bounds = self.some(4, |dice| format!("{} = {}", dice.pick(&["min", "max", "step"]), dice.number()));
                format!("slider({bounds})")
            }
            3 => format!("slider(min = {}, max = {}, step = {})", self.number(), self.number(), self.number()),
            4 => format!("number(min = {}, max = {})", self.number(), self.number()),
            other => ["number", "toggle", "text", "textarea", "label"][(other + self.roll(5)) % 5].to_owned(),
        }
    }

    fn argument(&mut self, words: &[&'static str]) -> String {
        let word = self.pick(words);
        match self.roll(12) {
            0 => word.to_owned(),
            1 => format!("{word}({})", self.value()),
            2 => format!("{word} = {}", self.number()),
            3 => format!("{word} {word}"),
            _ => match word {
                "read_only" | "destructive" | "unstable" | "as_string" | "show_errors" | "coerce" | "persist"
                | "accumulate" | "exclusive" | "image_viewer" | "log_list" | "metric_table" | "waits" | "fallback" => {
                    word.to_owned()
                }
                "on_card" => "on_card = false".to_owned(),
                "max_visible" => format!("max_visible = {}", self.number()),
                "batched" => format!("batched(max = {}, wait_ms = {})", self.number(), self.number()),
                "task" => self.pick(&["task = \"optional\"", "task = \"required\""]).to_owned(),
                "page_size" | "ttl_ms" => format!("{word} = {}", self.number()),
                "icons" => format!("icons({}, icon(src = {}))", self.text(), self.text()),
                "meta" => format!("meta({} = {}, \"a.b/c\" = {})", self.text(), self.value(), self.value()),
                "nodes" | "resources" | "prompts" => {
                    let nodes = self.some(4, |dice| {
                        dice.pick(&["A", "a::B", "#[cfg(unix)] A", "#[allow(x)] C", "\"A\"", "D<E>"]).to_owned()
                    });
                    format!("{word}({nodes})")
                }
                "widget" => self.widget(),
                "default" => format!("default = {}", self.value()),
                other => format!("{other} = {}", self.text()),
            },
        }
    }

    fn attribute(&mut self) -> String {
        const PORT: &[&str] = &["name", "title", "wire", "as_string", "nan", "header"];
        const CONFIG: &[&str] = &[
            "widget",
            "widget",
            "default",
            "default",
            "label",
            "placeholder",
            "section",
            "persist",
            "on_card",
            "unset_label",
            "name",
            "header",
            "as_string",
        ];
        const DISPLAY: &[&str] = &["image_viewer", "log_list", "metric_table", "label", "max_visible", "accumulate"];
        const ARGUMENT: &[&str] = &["name", "title"];
        const COMPLETE: &[&str] = &["A", "a::B"];
        let (word, words) = [
            ("port", PORT),
            ("config", CONFIG),
            ("display", DISPLAY),
            ("port", PORT),
            ("config", CONFIG),
            ("argument", ARGUMENT),
            ("complete", COMPLETE),
        ][self.roll(7)];
        let inside = self.some(4, |dice| dice.argument(words));
        match self.roll(14) {
            0 => format!("#[cfg_attr(unix, {word}({inside}))]"),
            1 => self.pick(&["#[cfg(unix)]", "#[cfg(any())]"]).to_owned(),
            2 => "#[deprecated(since = \"1\", note = \"x\")]".to_owned(),
            3 => self
                .pick(&["#[serde(default)]", "#[prot]", "#[port]", "#[doc = include_str!(\"x\")]", "/// Doc.\n"])
                .to_owned(),
            _ => format!("#[{word}({inside})]"),
        }
    }

    fn item(&mut self) -> String {
        let generics =
            if self.one_in(12) { self.pick(&["<T>", "<'a>", "<const N: usize>", "<T: Copy = u8>"]) } else { "" };
        let mut fields = String::new();
        for _ in 0..self.roll(5) {
            for _ in 0..self.roll(3) {
                fields += &self.attribute();
            }
            let (name, ty) = (self.name(), self.ty(3));
            fields.extend([name, ": ", &ty, ", "]);
        }
        match self.roll(20) {
            0 => format!("struct Probe{generics};"),
            1 => format!("struct Probe{generics}({});", self.ty(2)),
            2 => {
                format!("enum Probe{generics} {{ #[node_error(name = {}, retryable)] A, B {{ x: u8 }} }}", self.text())
            }
            3 => format!("union Probe{generics} {{ {fields} }}"),
            _ => format!("#[deprecated] /// Doc.\n pub struct Probe{generics} {{ {fields} }}"),
        }
    }
}

const NODE: &[&str] = &[
    "name",
    "title",
    "read_only",
    "destructive",
    "idempotent",
    "unstable",
    "batched",
    "task",
    "waits",
    "fallback",
    "icons",
    "meta",
    "raw_schema",
    "crate",
    "nonsense",
];
const NODESET: &[&str] = &[
    "name",
    "prefix",
    "title",
    "instructions",
    "parallelism",
    "exclusive",
    "modern",
    "sessions",
    "as_string",
    "show_errors",
    "coerce",
    "nodes",
    "nodes",
    "resources",
    "prompts",
    "page_size",
    "ttl_ms",
    "cache_scope",
    "icons",
    "meta",
    "crate",
    "nods",
];

/// An item, and what stands in `#[node(…)]` and `#[nodeset(…)]`.
type Drawn = (String, String, String);

#[test]
fn ten_thousand_structs_make_no_macro_panic() {
    let mut dice = Dice(0x6E6F_6465_6361_7374);
    let drawn: Vec<Drawn> = (0..STRUCTS)
        .map(|_| (dice.item(), dice.some(3, |dice| dice.argument(NODE)), dice.some(4, |dice| dice.argument(NODESET))))
        .collect();
    // In parts, so that the other cores have something to do; drawn before, so that they are the same ones on any machine.
    let accepted: usize = thread::scope(|scope| {
        let parts: Vec<_> = drawn.chunks(STRUCTS / 4).map(|part| scope.spawn(move || expanded(part))).collect();
        parts.into_iter().map(|part| part.join().unwrap()).sum()
    });
    // Were nearly all of them refused, or none, the dice would be loaded.
    assert!((STRUCTS / 4..STRUCTS).contains(&accepted), "{accepted} of {} expansions accepted", STRUCTS * 2);
}

/// Expands each twice, and says how many expansions were accepted.
fn expanded(drawn: &[Drawn]) -> usize {
    let mut accepted = 0;
    for (at, (text, node, nodeset)) in drawn.iter().enumerate() {
        let tokens = |text: &str| text.parse::<TokenStream>().unwrap_or_else(|error| panic!("{error}: {text}"));
        let item = tokens(text);
        let other = match at % 5 {
            0 => crate::nodeset(tokens(nodeset), item.clone()),
            1 => crate::outputs(item.clone()),
            2 => crate::resource(tokens(&node.replace("raw_schema", "uri")), item.clone()),
            3 => crate::prompt(tokens(node), item.clone()),
            _ => crate::node_error(item.clone()),
        };
        for expansion in [crate::node(tokens(node), item), other] {
            accepted += usize::from(!refuses(expansion.clone()));
            let file = syn::parse2::<File>(expansion).unwrap_or_else(|error| panic!("{error}: {text}"));
            assert!(!file.items.is_empty(), "{text}");
        }
    }
    accepted
}

fn refuses(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| matches!(token, TokenTree::Ident(word) if word == "compile_error"))
}
