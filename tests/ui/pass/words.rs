//! Every word of a declaration reaches the table, and none raises a warning.

#![forbid(unsafe_code)]
#![deny(warnings)]

use std::collections::BTreeMap;

use nodecast::decl::{DisplayWidget, Role, Widget};
use nodecast::prelude::*;

#[nodeset(as_string, show_errors, nodes(Old, Train))]
#[derive(Default)]
struct Words;

/// Replaced.
#[node(unstable, raw_schema = "words.schema.json")]
#[deprecated(since = "0.4.0", note = "use `Train`")]
struct Old {
    #[deprecated]
    gone: u8,
}

#[node]
struct Train {
    #[port(as_string, header = "Run")]
    run: u128,
    #[port(nan = "null")]
    curve: Vec<f64>,
    /// Longer runs cost more.
    #[config(label)]
    hint: (),
    #[config(number, persist, on_card = false, unset_label = "as many as it takes", as_string, header = "Steps")]
    steps: Option<u64>,
}

/// What came of it.
#[derive(Outputs)]
struct Trained {
    #[port(as_string, nan = "null")]
    #[display(log_list, label = "Steps", max_visible = 100, accumulate)]
    log: Vec<(u128, f64)>,
    #[display(metric_table)]
    scores: BTreeMap<String, f64>,
    #[display(image_viewer)]
    #[deprecated = "nobody looks at it"]
    curve: Option<Image>,
}

#[allow(deprecated, reason = "it is still served")]
impl Node<Words> for Old {
    type Output = u8;
    type Error = Error;

    async fn run(self, _: &Words, _: &Context) -> Result<u8, Error> {
        Ok(self.gone)
    }
}

#[allow(deprecated, reason = "it is still sent")]
impl Node<Words> for Train {
    type Output = Trained;
    type Error = Error;

    async fn run(self, _: &Words, _: &Context) -> Result<Trained, Error> {
        let log = vec![(self.run + u128::from(self.steps.unwrap_or(1)), self.curve.iter().sum())];
        Ok(Trained { log, scores: BTreeMap::new(), curve: None })
    }
}

#[test]
fn words_reach_the_table() {
    let table = <Words as nodecast::Nodeset>::TABLE;
    assert!(table.decl.form.integers_as_text);
    assert!(table.decl.show_errors);
    let [old, train] = table.rows else { panic!("two nodes") };
    assert!(old.decl.unstable);
    assert_eq!(old.decl.deprecated.map(|said| (said.since, said.note)), Some(("0.4.0", "use `Train`")));
    assert_eq!(old.decl.raw_schema, Some(include_str!("words.schema.json")));
    assert_eq!(old.decl.fields[0].deprecated.map(|said| (said.since, said.note)), Some(("", "")));
    let [run, curve, hint, steps] = train.decl.fields else { panic!("four fields") };
    assert!(run.form.integers_as_text && !run.form.non_finite_as_null);
    assert_eq!(run.header, Some("Run"));
    assert!(curve.form.non_finite_as_null);
    assert!(matches!(hint.role, Role::Config(config) if config.widget == Widget::Label && config.on_card));
    let Role::Config(said) = steps.role else { panic!("a config field") };
    assert!(said.persist && !said.on_card);
    assert_eq!((said.unset_label, steps.header), ("as many as it takes", Some("Steps")));
    let [log, scores, shown] = train.outputs else { panic!("three outputs") };
    let display = log.display.unwrap();
    assert_eq!((display.widget, display.label), (DisplayWidget::LogList, "Steps"));
    assert_eq!((display.max_visible, display.accumulate), (100, true));
    assert_eq!(scores.display.unwrap().max_visible, 10);
    assert_eq!(shown.display.unwrap().widget, DisplayWidget::ImageViewer);
    assert_eq!(shown.deprecated.unwrap().note, "nobody looks at it");
}
