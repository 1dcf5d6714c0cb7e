//! The forms of a report: text, Markdown, annotations of GitHub, `JUnit`.

use std::fmt::Write;

use console::{Style, style};

use super::{Finding, Level, Place, Report, Table};
use crate::inspect::markdown::cell;
use crate::output::printable;

/// For people: a line a finding, and below it why and where.
pub(super) fn text(report: &Report) -> String {
    let width = report.findings.iter().map(|finding| finding.verdict.len()).max().unwrap_or_default();
    let mut text = report.table.as_ref().map(columns).unwrap_or_default();
    for finding in &report.findings {
        let Finding { verdict, rule, message, why, place, .. } = finding;
        let verdict = colour(finding.level).apply_to(format!("{verdict:width$}"));
        let _ = writeln!(text, "{verdict}  {}  {}", style(printable(&subject(finding))).bold(), printable(message));
        text.truncate(text.trim_end().len());
        text.push('\n');
        let indent = " ".repeat(width + 2);
        if !why.is_empty() {
            let why = format!("{rule}: {}", printable(why));
            let _ = writeln!(text, "{indent}{}", style(why).dim());
        }
        if let Some(Place { file, line }) = place {
            let _ = writeln!(text, "{indent}{}:{line}", printable(file));
        }
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text + &printable(&report.closing)
}

/// Words in columns: the names to the left, numbers to the right.
fn columns(table: &Table) -> String {
    let all = || std::iter::once(&table.head).chain(&table.rows);
    let width = |column: usize| {
        let widths = all().filter_map(|row| row.get(column)).map(|word| console::measure_text_width(word));
        widths.max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..table.head.len()).map(width).collect();
    let mut text = String::new();
    for row in all() {
        let words = row.iter().zip(&widths).enumerate().map(|(column, (word, &width))| {
            let word = printable(word);
            if column == 0 { format!("{word:width$}") } else { format!("{word:>width$}") }
        });
        text.push_str(words.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text + "\n"
}

fn colour(level: Level) -> Style {
    match level {
        Level::Error => Style::new().red().bold(),
        Level::Warning => Style::new().yellow(),
        Level::Notice => Style::new().green(),
    }
}

fn subject(finding: &Finding) -> String {
    let Finding { subject, pointer, .. } = finding;
    if pointer.is_empty() { subject.clone() } else { format!("{subject} {pointer}") }
}

/// For a comment on a pull request.
pub(super) fn markdown(report: &Report) -> String {
    let mut text = format!("### {}: {}\n", report.verb, report.closing);
    if let Some(Table { head, rows }) = &report.table {
        let line =
            |row: &Vec<String>| format!("| {} |\n", row.iter().map(|word| cell(word)).collect::<Vec<_>>().join(" | "));
        text.push('\n');
        text.push_str(&line(head));
        text.extend(["|---|", &"--:|".repeat(head.len().saturating_sub(1)), "\n"]);
        text.extend(rows.iter().map(line));
    }
    if report.findings.is_empty() {
        return text;
    }
    text.push_str("\n| verdict | where | what | why |\n|---|---|---|---|\n");
    for finding in &report.findings {
        let Finding { level, verdict, rule, message, why, place, .. } = finding;
        let verdict = if *level == Level::Error { format!("**{verdict}**") } else { (*verdict).to_owned() };
        let place = place.as_ref().map(|Place { file, line }| format!("<br>{}:{line}", cell(file)));
        let _ = writeln!(
            text,
            "| {verdict} | `{}`{} | {} | {} (`{rule}`) |",
            cell(&subject(finding)),
            place.unwrap_or_default(),
            cell(message),
            cell(why)
        );
    }
    text
}

/// Workflow commands, which GitHub shows at the line.
pub(super) fn github(report: &Report) -> String {
    let mut text = String::new();
    for finding in &report.findings {
        let Finding { level, verdict, rule, message, why, place, .. } = finding;
        let mut properties = Vec::new();
        if let Some(Place { file, line }) = place {
            properties.push(format!("file={}", property(file)));
            properties.push(format!("line={line}"));
        }
        properties.push(format!("title={}", property(&format!("{verdict}: {}", finding.subject))));
        let said = if why.is_empty() { message.clone() } else { format!("{message}\n{why}") };
        let at = if finding.pointer.is_empty() { String::new() } else { format!("{}: ", finding.pointer) };
        let _ =
            writeln!(text, "::{} {}::{}", level.as_str(), properties.join(","), data(&format!("{at}{said} ({rule})")));
    }
    text + &format!("::notice title={}::{}", property(report.verb), data(&report.closing))
}

/// The escapes of workflow commands, by GitHub's own toolkit (`@actions/core`, `command.ts`).
fn data(text: &str) -> String {
    printable(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// A suite of one case a finding; notices are cases that passed.
pub(super) fn junit(report: &Report) -> String {
    let failed = report.findings.iter().filter(|finding| finding.level == Level::Error).count();
    let cases = report.findings.len().max(1);
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"codegen-cli\" tests=\"{cases}\" \
         failures=\"{failed}\" errors=\"0\">\n  <testsuite name=\"{}\" tests=\"{cases}\" failures=\"{failed}\" \
         errors=\"0\" skipped=\"0\">\n",
        report.verb
    );
    for finding in &report.findings {
        let Finding { level, verdict, rule, message, why, place, .. } = finding;
        let mut attributes = format!(" classname=\"{}\" name=\"{}\"", xml(rule), xml(&subject(finding)));
        if let Some(Place { file, line }) = place {
            let _ = write!(attributes, " file=\"{}\" line=\"{line}\"", xml(file));
        }
        if *level == Level::Error {
            let _ = writeln!(
                text,
                "    <testcase{attributes}>\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>",
                xml(verdict),
                xml(message),
                xml(why)
            );
        } else {
            let said = format!("{verdict}: {message}");
            let _ = writeln!(
                text,
                "    <testcase{attributes}>\n      <system-out>{}</system-out>\n    </testcase>",
                xml(&said)
            );
        }
    }
    if report.findings.is_empty() {
        let _ = writeln!(text, "    <testcase classname=\"{}\" name=\"{}\"/>", report.verb, xml(&report.closing));
    }
    text + "  </testsuite>\n</testsuites>"
}

/// Text as it may stand in an attribute or an element; what XML 1.0 has no place for is escaped as it is for a terminal.
fn xml(text: &str) -> String {
    let text = printable(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\n', "&#10;").replace('\t', "&#9;")
}

#[cfg(test)]
mod tests {
    use serde_json::Map;

    use super::{github, junit, markdown, text};
    use crate::report::{Finding, Level, Place, Report};

    fn report() -> Report {
        let finding = Finding {
            level: Level::Error,
            verdict: "breaking",
            class: Some("wire"),
            rule: "port_required".to_owned(),
            subject: "a__b".to_owned(),
            pointer: "/x".to_owned(),
            message: "`x` is 100% <required>".to_owned(),
            why: "a caller that left it out, or sent null, is refused".to_owned(),
            place: Some(Place { file: "src/a,b.rs".to_owned(), line: 41 }),
        };
        let closing = "1 change breaks".to_owned();
        Report { verb: "check", findings: vec![finding], facts: Map::new(), table: None, closing }
    }

    #[test]
    fn each_form_has_the_finding_and_its_place() {
        let shown = console::strip_ansi_codes(&text(&report())).into_owned();
        assert_eq!(
            shown,
            "breaking  a__b /x  `x` is 100% <required>\n          port_required: a caller that left it out, or sent null, \
             is refused\n          src/a,b.rs:41\n\n1 change breaks"
        );
        assert_eq!(
            github(&report()),
            "::error file=src/a%2Cb.rs,line=41,title=breaking%3A a__b::/x: `x` is 100%25 <required>%0Aa caller that left \
             it out, or sent null, is refused (port_required)\n::notice title=check::1 change breaks"
        );
        assert!(
            markdown(&report()).contains("| **breaking** | `a__b /x`<br>src/a,b.rs:41 | `x` is 100% &lt;required>")
        );
        let xml = junit(&report());
        assert!(xml.contains("tests=\"1\" failures=\"1\""), "{xml}");
        assert!(xml.contains("message=\"`x` is 100% &lt;required&gt;\""), "{xml}");
    }
}
