//! Typed questions over an asker that answers from a list.

use std::sync::{Arc, Mutex};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::{Ability, Answer, Form, Root, Roots, Sampling, Visit};
use crate::Error;
use crate::call::{Asker, BoxFuture, Caller, Context, Question};

/// Answers from a list, and keeps what was asked.
#[derive(Default)]
struct Scripted {
    answers: Vec<Json>,
    asked: Mutex<Vec<(String, &'static str, Option<Json>)>>,
}

impl Asker for Scripted {
    fn can(&self, ability: Ability) -> bool {
        ability != Ability::Sampling
    }

    fn ask<'a>(&'a self, questions: &'a [Question]) -> BoxFuture<'a, Result<Vec<Json>, Error>> {
        for (question, answer) in questions.iter().zip(&self.answers) {
            question.check(answer).unwrap();
            let request = &question.request;
            self.asked.lock().unwrap().push((question.key.clone(), request.method(), request.params()));
        }
        Box::pin(std::future::ready(Ok(self.answers.clone())))
    }
}

fn context(answers: Vec<Json>) -> (Context, Arc<Scripted>) {
    let asker = Arc::new(Scripted { answers, ..Scripted::default() });
    (Context::new(Caller::default()).with_asker(asker.clone()), asker)
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Person {
    name: String,
    #[serde(default)]
    age: u8,
    mail: Option<String>,
}

#[tokio::test]
async fn several_questions_are_one_round() {
    let results = vec![
        json!({ "action": "accept", "content": { "name": "Ada", "age": 36.0, "mail": null } }),
        json!({ "role": "assistant", "content": { "type": "text", "text": "Hi" }, "model": "m", "stopReason": "endTurn" }),
        json!({ "roots": [{ "uri": "file:///a" }, { "uri": "file:///b", "name": "B" }] }),
        json!({ "action": "decline" }),
    ];
    let (cx, scripted) = context(results);
    let (person, greeting, roots, never, visit) = cx
        .ask((
            Form::<Person>::new("who", "Who are you?"),
            Sampling::new("greeting", "Greet").max_tokens(5).system("Be short"),
            Roots::new("roots"),
            None::<Roots>,
            Visit::new("page", "Pay", "https://example.com/pay"),
        ))
        .await
        .unwrap();
    assert_eq!(person, Answer::Accepted(Person { name: "Ada".to_owned(), age: 36, mail: None }));
    assert_eq!((greeting.text().as_str(), greeting.model.as_str()), ("Hi", "m"));
    assert_eq!(roots[1], Root { uri: "file:///b".to_owned(), name: Some("B".to_owned()) });
    assert_eq!((never, visit.action()), (None, "decline"));
    assert_eq!(visit.accepted().unwrap_err().kind(), "declined");

    let asked = scripted.asked.lock().unwrap();
    let keys: Vec<_> = asked.iter().map(|(key, method, _)| (key.as_str(), *method)).collect();
    let expected = [
        ("who", "elicitation/create"),
        ("greeting", "sampling/createMessage"),
        ("roots", "roots/list"),
        ("page", "elicitation/create"),
    ];
    assert_eq!(keys, expected);
    // As the schema of the protocol names the members.
    let sampling = json!({
        "messages": [{ "role": "user", "content": { "type": "text", "text": "Greet" } }],
        "maxTokens": 5, "systemPrompt": "Be short",
    });
    assert_eq!(asked[1].2, Some(sampling));
    let visit = json!({ "mode": "url", "message": "Pay", "url": "https://example.com/pay" });
    assert_eq!((&asked[2].2, &asked[3].2), (&None, &Some(visit)));
}

#[test]
fn answers_that_do_not_fit_are_told_apart() {
    let mut questions = Vec::new();
    super::Ask::questions(&Form::<Person>::new("who", "Who are you?"), &mut questions).unwrap();
    let problem = |answer: Json| questions[0].check(&answer).unwrap_err();
    for garbage in [json!(12345), json!(null), json!({}), json!({ "action": "yes" })] {
        assert_eq!(problem(garbage), "an answer of the user has the `action` accept, decline or cancel");
    }
    assert!(problem(json!({ "action": "accept" })).contains("name"));
    assert!(problem(json!({ "action": "accept", "content": { "name": 7 } })).contains("/name"));
    assert!(problem(json!({ "action": "accept", "content": { "name": "Ada", "age": 300 } })).contains("/age"));
    // What was filled in counts only where the user said yes; further members are the client's own.
    questions[0].check(&json!({ "action": "cancel", "content": 5 })).unwrap();
    questions[0].check(&json!({ "action": "accept", "content": { "name": "Ada", "more": 1 }, "_meta": {} })).unwrap();
}

#[tokio::test]
async fn a_face_without_anybody_says_so() {
    let cx = Context::new(Caller { face: "http", ..Caller::default() });
    assert!(!cx.can_ask(Ability::Roots));
    let error = cx.ask(Roots::new("roots")).await.unwrap_err();
    assert_eq!((error.kind(), error.stage().as_str()), ("cannot_ask", "adapter_execution"));
    assert!(error.message().contains("call it over MCP"), "{error}");
    assert_eq!(cx.ask(Vec::<Roots>::new()).await.unwrap(), Vec::<Vec<Root>>::new());
}

#[tokio::test]
async fn two_questions_have_two_keys() {
    let (cx, _) = context(Vec::new());
    let error = cx.ask((Roots::new("a"), Roots::new("a"))).await.unwrap_err();
    assert_eq!(error.kind(), "bad_question");
    assert!(cx.can_ask(Ability::Roots) && !cx.can_ask(Ability::Sampling));
}
