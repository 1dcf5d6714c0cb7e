//! Names for the pictures and sounds of a result: blocks carry none, so those of pictures come from the manifest where the
//! target has one.

use std::collections::VecDeque;

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::Value;

use crate::cli::Projection;
use crate::target::Target;
use crate::tools::short;

/// One name a block that becomes a file, in their order, without an extension and safe as a file's name.
pub(crate) async fn names(target: &Target, tool: &str, result: &CallToolResult) -> Vec<String> {
    let is_sound = |block: &&ContentBlock| matches!(block, ContentBlock::Audio(_));
    let pictures = result.content.iter().filter(|block| matches!(block, ContentBlock::Image(_))).count();
    let sounds = result.content.iter().filter(is_sound).count();
    let mut pictures = VecDeque::from(of_pictures(target, tool, pictures).await);
    let mut sounds = VecDeque::from(numbered(&format!("{}-sound", file_name(short(tool))), sounds));
    let names = result.content.iter().filter_map(|block| match block {
        ContentBlock::Image(_) => pictures.pop_front(),
        ContentBlock::Audio(_) => sounds.pop_front(),
        _ => None,
    });
    names.collect()
}

async fn of_pictures(target: &Target, tool: &str, count: usize) -> Vec<String> {
    if count == 0 {
        return Vec::new();
    }
    let ports = match manifest(target).await {
        Some(manifest) => picture_ports(&manifest, tool),
        None => Vec::new(),
    };
    let tool = file_name(short(tool));
    match assign(&ports, count) {
        Some(names) => names.iter().map(|name| format!("{tool}-{}", file_name(name))).collect(),
        None => numbered(&tool, count),
    }
}

/// `name`, or `name-1`, `name-2` … where there are several.
fn numbered(name: &str, count: usize) -> Vec<String> {
    if count == 1 {
        return vec![name.to_owned()];
    }
    (1..=count).map(|i| format!("{name}-{i}")).collect()
}

/// A missing manifest only costs the names.
async fn manifest(target: &Target) -> Option<Value> {
    let text = match target {
        Target::Program(program) => program.print(Projection::Manifest, None),
        Target::Remote(remote) => remote.document("manifest").await,
        Target::Command(_) | Target::Document(_) => return None,
    };
    serde_json::from_str(&text.ok()?).ok()
}

#[derive(Debug)]
struct Port {
    name: String,
    many: bool,
}

fn picture_ports(manifest: &Value, tool: &str) -> Vec<Port> {
    let list = |value: &Value, key: &str| value.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let word = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let function =
        list(manifest, "functions").into_iter().find(|function| word(function, "name").as_deref() == Some(tool));
    let ports = function.map(|function| list(&function, "output_ports")).unwrap_or_default();
    let pictures = ports.iter().filter_map(|port| match word(port, "wire_type")?.as_str() {
        "IMAGE" => Some(Port { name: word(port, "name")?, many: false }),
        "LIST[IMAGE]" => Some(Port { name: word(port, "name")?, many: true }),
        _ => None,
    });
    pictures.collect()
}

/// Which port each of `count` pictures, in order, came from; `None` if that cannot be told, as with an optional picture
/// left out.
fn assign(ports: &[Port], count: usize) -> Option<Vec<String>> {
    let lists = ports.iter().filter(|port| port.many).count();
    let single = ports.len() - lists;
    if ports.is_empty() || lists > 1 || count < single || (lists == 0 && count != single) {
        return None;
    }
    let mut names = VecDeque::new();
    for port in ports {
        if port.many {
            names.extend((1..=count - single).map(|i| format!("{}-{i}", port.name)));
        } else {
            names.push_back(port.name.clone());
        }
    }
    Some(names.into())
}

/// Only what is harmless in a file's name on any system: the name comes from a server.
fn file_name(name: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    let name: String = name.chars().map(safe).take(64).collect();
    if name.is_empty() { "picture".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn port(name: &str, many: bool) -> Port {
        Port { name: name.to_owned(), many }
    }

    #[test]
    fn pictures_are_named_by_their_ports_where_that_is_certain() {
        assert_eq!(assign(&[port("a", false), port("b", false)], 2).unwrap(), ["a", "b"]);
        assert_eq!(assign(&[port("a", false), port("b", true)], 3).unwrap(), ["a", "b-1", "b-2"]);
        assert_eq!(assign(&[port("a", false), port("b", false)], 1), None);
        assert_eq!(assign(&[port("a", true), port("b", true)], 2), None);
        assert_eq!(assign(&[], 1), None);
    }

    #[test]
    fn a_name_from_a_server_cannot_leave_the_folder() {
        assert_eq!(file_name("../../etc/passwd"), "______etc_passwd");
        assert_eq!(file_name(""), "picture");
    }
}
