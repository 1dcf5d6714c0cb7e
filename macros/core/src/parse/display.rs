//! `#[display(…)]`: how an editor shows an output.

use proc_macro2::Span;
use syn::{Attribute, LitStr};

use super::inside;
use crate::attr;
use crate::errors::Errors;
use crate::model::{Display, DisplayWidget};
use crate::symbol::{
    self, ACCUMULATE, DISPLAY, DISPLAYS, IMAGE_VIEWER, LABEL, LOG_LIST, MAX_VISIBLE, METRIC_TABLE, Symbol,
};

const WORDS: &[Symbol] = &[IMAGE_VIEWER, LOG_LIST, METRIC_TABLE, LABEL, MAX_VISIBLE, ACCUMULATE];

/// Reads the attribute; none where something is wrong with it.
pub(crate) fn display(errors: &mut Errors, attribute: &Attribute) -> Option<Display> {
    let before = errors.count();
    let tokens = inside(errors, attribute, DISPLAY)?;
    let mut widget: Option<(DisplayWidget, Span)> = None;
    let mut label: Option<LitStr> = None;
    let mut max_visible = None;
    let mut accumulate: Option<Span> = None;
    for arg in attr::arguments(errors, "`#[display]`", WORDS, tokens) {
        if arg.word == LABEL {
            let text = attr::string(errors, &arg);
            attr::set(errors, &mut label, &arg, text);
        } else if arg.word == MAX_VISIBLE {
            let value = attr::whole(errors, &arg, 1..=u32::MAX);
            attr::set(errors, &mut max_visible, &arg, value);
        } else if arg.word == ACCUMULATE {
            let word = attr::alone(errors, &arg);
            attr::set(errors, &mut accumulate, &arg, word);
        } else if widget.is_some() {
            errors.error(&arg.word, "an output has one display; leave one out");
        } else {
            widget = attr::alone(errors, &arg).map(|word| {
                let widget = if arg.word == IMAGE_VIEWER {
                    DisplayWidget::ImageViewer
                } else if arg.word == LOG_LIST {
                    DisplayWidget::LogList
                } else {
                    DisplayWidget::MetricTable
                };
                (widget, word)
            });
        }
    }
    if errors.count() > before {
        return None;
    }
    let Some((widget, word)) = widget else {
        errors.error(attribute.path(), format!("a display needs its kind; write {}", symbol::list(DISPLAYS)));
        return None;
    };
    Some(Display { widget, word, label, max_visible, accumulate: accumulate.is_some() })
}
