//! What is exposed: names, snapshots, versions, messages (`live.md` 4).

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use nodecast_live::Messages;
use nodecast_live::prelude::*;
use serde_json::json;

fn cart() -> GraphHost<cart::CartMsg, cart::CartView> {
    GraphHost::start(cart::setup).unwrap()
}

#[tokio::test]
async fn r25_the_tables_say_what_a_running_application_lists() {
    let (host, messages) = (cart(), Messages::of::<cart::CartMsg>().unwrap());
    let live = host.live();
    let declared = |what| {
        let all = <cart::CartView as Expose>::EXPOSED.iter().filter(move |decl| decl.what == what);
        all.map(|decl| decl.name).collect::<Vec<_>>()
    };
    assert_eq!(live.names(), ["subtotal", "discount", "total"]);
    assert_eq!(live.names(), declared(nodecast_live::Exposes::Value));
    assert_eq!(live.nodes(), ["rule"]);
    assert_eq!(live.nodes(), declared(nodecast_live::Exposes::Node));
    assert_eq!(live.message_names(), ["add_item", "remove_item", "set_discount", "clear"]);
    assert_eq!(live.messages().unwrap().to_json(), messages.to_json());
    let add = &messages.to_json()[0];
    assert_eq!(add["shape"], "add_item {sku: string, unit_price: integer >= 0, quantity: integer >= 0}");
    assert_eq!(add["schema"]["additionalProperties"], false);
    assert_eq!(add["schema"]["required"], json!(["sku", "unit_price", "quantity"]));
    assert_eq!(add["description"], "Puts an article into the cart.");
}

#[tokio::test]
async fn messages_are_sent_by_name_and_by_type() {
    let live = cart().live();
    assert_eq!(live.send(cart::CartMsg::Tick).await.unwrap_err().to_string(), "the application has ended");
    let host = cart();
    let live = host.live();
    let after = live.dispatch("add_item", json!({ "sku": "a", "unit_price": 5, "quantity": 3 })).await.unwrap();
    assert_eq!((after.version(), after.get("subtotal")), (2, Some("15")));
    // What only the application sends publishes nothing here: no value shows it.
    assert_eq!(live.send(cart::CartMsg::Tick).await.unwrap().version(), 2);
    let rejected = live.dispatch("tick", json!({})).await.unwrap_err();
    assert_eq!(rejected.stage.as_str(), "schema_validation");
    assert!(rejected.text.contains("`tick`") && rejected.text.contains("`clear`"), "{}", rejected.text);
    assert_eq!(live.snapshot().version(), 2);
}

#[derive(Expose)]
struct Pair {
    one: Signal<u64>,
    other: Signal<u64>,
}

fn pair() -> GraphHost<NoMessages, Pair> {
    GraphHost::start(|g: &Graph| Ok(App::read_only(Pair { one: signal(g, 0), other: signal(g, 0) }))).unwrap()
}

#[tokio::test]
async fn r07_a_batch_publishes_once_and_an_equal_write_never() {
    let host = pair();
    let (live, told) = (host.live(), Arc::new(Mutex::new(Vec::new())));
    assert_eq!(live.snapshot().version(), 1);
    assert!(live.on_published(|_| {}).is_err());
    let (own, noted) = (live.clone(), told.clone());
    host.invoke(move |_| {
        let inner = own.clone();
        own.on_published(move |publication| {
            // It is the newest already.
            assert_eq!(inner.snapshot().version(), publication.snapshot.version());
            noted.lock().unwrap().push((publication.snapshot.version(), publication.changed.clone()));
        })
    })
    .await
    .unwrap()
    .unwrap();
    host.invoke(|app| {
        app.batch(|| {
            (1..=5).for_each(|step| {
                app.view.other.set(step);
                app.view.one.set(step);
            });
        });
        app.view.one.set(5);
    })
    .await
    .unwrap();
    assert_eq!(*told.lock().unwrap(), [(2, vec!["one".into(), "other".into()])]);
    host.invoke(|app| app.batch(|| app.view.one.set(9))).await.unwrap();
    assert_eq!(told.lock().unwrap().last().unwrap(), &(3, vec!["one".into()]));
}

/// Control of T33: one snapshot is one version, whoever reads it when.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t33_no_read_is_torn_and_no_queue_grows() {
    let host = pair();
    let live = host.live();
    let reader = std::thread::spawn({
        let live = live.clone();
        move || {
            let mut last = 0;
            while last < 10_000 {
                let snapshot = live.snapshot();
                let (one, other) = (snapshot.get("one").unwrap(), snapshot.get("other").unwrap());
                assert_eq!(one, other, "version {}", snapshot.version());
                let value: u64 = one.parse().unwrap();
                assert!(value >= last);
                last = value;
            }
        }
    });
    let mut slow = live.watch();
    host.invoke(|app| {
        for value in 1..=10_000_u64 {
            app.batch(|| {
                app.view.one.set(value);
                app.view.other.set(value);
            });
        }
    })
    .await
    .unwrap();
    reader.join().unwrap();
    // Who reads slowly sees the newest.
    assert_eq!(slow.borrow_and_update().version(), 10_001);
    assert!(!slow.has_changed().unwrap());
    let waits: Vec<_> = (0..1_000)
        .map(|_| {
            let live = live.clone();
            tokio::spawn(async move { live.wait_version(10_002, Duration::from_secs(20)).await })
        })
        .collect();
    host.invoke(|app| app.view.one.set(1)).await.unwrap();
    for wait in waits {
        assert_eq!(wait.await.unwrap().unwrap().version(), 10_002);
    }
    assert!(live.wait_version(10_003, Duration::from_millis(10)).await.is_none());
}

#[test]
fn names_that_cannot_be_are_refused() {
    for (name, part) in
        [("a b", "` `"), ("", "a character at least"), ("a/b", "`/`"), (&*"x".repeat(65), "65 characters")]
    {
        let g = Graph::new();
        let refused = Exposure::builder(&g).value(name.to_owned(), signal(&g, 1)).build().unwrap_err();
        assert!(refused.message().contains(part), "{}", refused.message());
    }
    let g = Graph::new();
    let one = signal(&g, 1);
    let twice = Exposure::builder(&g).value("a", one).value("a", one).build().unwrap_err();
    assert!(twice.message().contains("two values") && twice.message().contains("`a`"), "{}", twice.message());
    // A value and a node are two kinds of name.
    Exposure::builder(&g).value("a", one).node("a", one).build().unwrap();
    let other = Graph::new();
    let foreign = Exposure::builder(&other).value("a", one).build().unwrap_err();
    assert!(foreign.message().contains("another graph"), "{}", foreign.message());
}

#[derive(Expose)]
struct Moved {
    moved: Signal<u32>,
}

#[tokio::test]
async fn nothing_more_is_exposed_when_setup_has_returned() {
    let (tell, told) = std::sync::mpsc::channel();
    let host = GraphHost::start(move |g: &Graph| {
        let (graph, late, moved) = (g.clone(), signal(g, 1), signal(g, 0));
        let _ = effect(g, move || {
            if moved.get() > 0 {
                let refused = Exposure::builder(&graph).value("late", late).build().unwrap_err();
                tell.send(refused.message().to_owned()).unwrap();
            }
        });
        Ok(App::read_only(Moved { moved }))
    });
    let host: GraphHost<NoMessages, Moved> = host.unwrap();
    host.invoke(|app| app.view.moved.set(1)).await.unwrap();
    let said = told.recv().unwrap();
    assert!(said.contains("`late`") && said.contains("`setup` has returned"), "{said}");
}

/// What a client sees is less than what there is.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
struct Partly {
    shown: u32,
    #[serde(skip)]
    hidden: u32,
}

#[derive(Expose)]
struct Encoded {
    counts: Signal<HashMap<String, f64>>,
    large: Signal<u64>,
    #[expose(rename = "partly.shown")]
    partly: Signal<Partly>,
}

#[tokio::test]
async fn equal_encodings_publish_nothing() {
    let host: GraphHost<NoMessages, Encoded> = GraphHost::start(|g: &Graph| {
        let counts = signal(g, HashMap::from([("b".to_owned(), 1.0), ("a".to_owned(), 0.5)]));
        let partly = signal(g, Partly { shown: 1, hidden: 1 });
        Ok(App::read_only(Encoded { counts, large: signal(g, u64::MAX), partly }))
    })
    .unwrap();
    // RFC 8785: sorted keys, the shortest numbers; and an integer is whole.
    let expected =
        [("counts", r#"{"a":0.5,"b":1}"#), ("large", "18446744073709551615"), ("partly.shown", r#"{"shown":1}"#)];
    let first = host.live().snapshot();
    assert_eq!(first.iter().collect::<Vec<_>>(), expected);
    host.invoke(|app| app.view.partly.set(Partly { shown: 1, hidden: 2 })).await.unwrap();
    assert_eq!(host.live().snapshot().version(), 1);
    host.invoke(|app| app.view.large.set(u64::MAX - 1)).await.unwrap();
    assert_eq!(
        (host.live().snapshot().version(), host.live().snapshot().get("large")),
        (2, Some("18446744073709551614"))
    );
}

/// `live.md` 4: a wait gives the first snapshot of its version, also where more come at once.
#[tokio::test]
async fn r06_each_wait_has_the_snapshot_of_its_version() {
    let host = pair();
    let waits = [2, 4, 3].map(|version| {
        let live = host.live();
        tokio::spawn(async move { live.wait_version(version, Duration::from_secs(20)).await.unwrap().version() })
    });
    tokio::task::yield_now().await;
    host.invoke(|app| (1..=9).for_each(|value| app.view.one.set(value))).await.unwrap();
    let mut versions = Vec::new();
    for wait in waits {
        versions.push(wait.await.unwrap());
    }
    assert_eq!((versions, host.live().snapshot().version()), (vec![2, 4, 3], 10));
}

/// A value of so many lists in each other.
fn nested(levels: usize) -> serde_json::Value {
    (0..levels).fold(json!(1), |value, _| json!([value]))
}

#[derive(Expose)]
struct Deep {
    deep: Signal<serde_json::Value>,
}

#[tokio::test]
async fn a_value_is_as_deep_as_its_readers_can_read() {
    let setup = |g: &Graph| Ok(App::read_only(Deep { deep: signal(g, nested(0)) }));
    let host: GraphHost<NoMessages, Deep> = GraphHost::start(setup).unwrap();
    host.invoke(|app| app.view.deep.set(nested(120))).await.unwrap();
    let snapshot = host.live().snapshot();
    assert_eq!(snapshot.version(), 2);
    let read: serde_json::Value = serde_json::from_str(&snapshot.to_json()).unwrap();
    assert_eq!(read["values"]["deep"], nested(120));
    host.invoke(|app| app.view.deep.set(nested(2_000))).await.unwrap();
    assert_eq!(host.live().snapshot().version(), 2);
    host.invoke(|app| app.view.deep.set(nested(1))).await.unwrap();
    assert_eq!(host.live().snapshot().get("deep"), Some("[1]"));
}

#[test]
fn a_model_of_another_graph_takes_no_messages() {
    let elsewhere = |g: &Graph| {
        let other = Graph::new();
        let model = Mvu::new(&other, 0, |_: cart::CartMsg, count: &i32| Ok::<_, String>(*count)).named("stranger");
        Ok(App::new(model, Exposure::builder(g).build()?))
    };
    let refused = GraphHost::start(elsewhere).unwrap_err();
    assert!(refused.message().contains("`stranger`") && refused.message().contains("another graph"), "{refused}");
}

/// What `live.md` 1 writes, as it stands there.
mod example {
    use nodecast_live::prelude::*;

    #[derive(Clone, Debug, Default, PartialEq)]
    pub(super) struct Cart(u64, u32);

    #[derive(Clone, Debug, PartialEq)]
    pub(super) struct Rule(u32);

    impl Cart {
        fn update(&self, message: CartMsg) -> Result<Self, String> {
            Ok(match message {
                CartMsg::AddItem { sku, .. } if sku.is_empty() => return Err("an article has a number".to_owned()),
                CartMsg::AddItem { unit_price, quantity, .. } => {
                    Self(self.0 + unit_price * u64::from(quantity), self.1)
                }
                CartMsg::SetDiscount { percent } => Self(self.0, percent),
                CartMsg::Tick => self.clone(),
            })
        }

        fn subtotal(&self) -> u64 {
            self.0
        }

        fn discount(&self) -> u64 {
            self.0 * u64::from(self.1) / 100
        }

        fn rule(&self) -> Rule {
            Rule(self.1)
        }
    }

    /// What a client may ask of the cart.
    #[derive(Message)]
    pub(super) enum CartMsg {
        /// Puts an article into the cart.
        AddItem { sku: String, unit_price: u64, quantity: u32 },
        /// Sets the discount in percent.
        SetDiscount { percent: u32 },
        #[message(skip)]
        Tick,
    }

    #[derive(Expose)]
    pub(super) struct CartView {
        subtotal: Memo<u64>,
        discount: Memo<u64>,
        total: Memo<u64>,
        #[expose(node)]
        rule: Memo<Rule>,
    }

    #[allow(
        clippy::unnecessary_wraps,
        clippy::redundant_closure_for_method_calls,
        reason = "as the specification writes it"
    )]
    pub(super) fn setup(g: &Graph) -> Result<App<CartMsg, CartView>, Error> {
        let cart = Mvu::new(g, Cart::default(), |msg, model| model.update(msg));
        select!(cart, let subtotal = |c| c.subtotal());
        select!(cart, let discount = |c| c.discount());
        select!(cart, let rule = |c| c.rule());
        memo!(g, let total = move || subtotal.get() - discount.get());
        Ok(App::new(cart, CartView { subtotal, discount, total, rule }))
    }
}

#[tokio::test]
async fn the_example_of_the_specification_is_an_application() {
    let host = GraphHost::start(example::setup).unwrap();
    host.live().dispatch("add_item", json!({ "sku": "a", "unit_price": 250, "quantity": 2 })).await.unwrap();
    let after = host.live().send(example::CartMsg::SetDiscount { percent: 10 }).await.unwrap();
    assert_eq!(after.to_json(), r#"{"version":3,"values":{"subtotal":500,"discount":50,"total":450}}"#);
    assert_eq!(host.live().send(example::CartMsg::Tick).await.unwrap().version(), 3);
}
