//! What a reviewer sees of an edit: files of the node that was edited, and no others (`contract.md` 1).

use nodecast::catalog::Catalog;
use nodecast::contract::snapshots;

/// The same nodeset but for one doc comment.
macro_rules! edition {
    ($name:ident, $doc:literal) => {
        mod $name {
            use nodecast::prelude::*;

            /// Two nodes.
            #[nodeset(name = "pair", nodes(First, Second))]
            #[derive(Default)]
            pub(super) struct Pair;

            /// Greets.
            #[node]
            pub(super) struct First {
                #[doc = $doc]
                who: String,
                /// How loud.
                #[config(select("low", "high"), default = "low")]
                voice: String,
            }

            /// Counts.
            #[node(read_only)]
            pub(super) struct Second {
                /// What to count.
                items: Vec<String>,
            }

            impl Node<Pair> for First {
                type Output = String;
                type Error = Error;

                async fn run(self, _: &Pair, _: &Context) -> Result<String, Error> {
                    Ok(self.who + &self.voice)
                }
            }

            impl Node<Pair> for Second {
                type Output = u64;
                type Error = Error;

                async fn run(self, _: &Pair, _: &Context) -> Result<u64, Error> {
                    Ok(self.items.len() as u64)
                }
            }
        }
    };
}

edition!(before, " Whom to greet.");
edition!(after, " Who is to be greeted.");

#[test]
fn an_edited_doc_comment_changes_the_files_of_its_node() {
    let (before, after) = (Catalog::of::<before::Pair>().unwrap(), Catalog::of::<after::Pair>().unwrap());
    let (before, after) = (snapshots(&before), snapshots(&after));
    assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
    let changed: Vec<_> = before.iter().filter(|(place, text)| after.get(place) != Some(text)).collect();
    let places: Vec<_> = changed.iter().map(|((folder, name), _)| format!("{folder}/{name}")).collect();
    assert_eq!(places, ["manifest/pair__first", "mcp/pair__first", "reference/pair__first", "schema/pair__first"]);
}
