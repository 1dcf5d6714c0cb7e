//! What a host serves of the schemas: the profile that it is told, and the marks of mirrored arguments.

use nodecast::contract::Profile;
use nodecast::prelude::*;
use nodecast::serve::Options;
use nodecast_tests::request;
use serde_json::{Value as Json, json};

/// Weather, by region.
#[nodeset(name = "weather", nodes(Report, Old))]
#[derive(Default)]
struct Weather;

/// Tells the weather.
#[node(read_only, unstable)]
struct Report {
    /// Where.
    #[port(header = "Region")]
    region: String,
    /// How many days.
    #[config(number(min = 1, max = 9), default = 2, header = "Days")]
    days: u8,
    /// In which tone.
    #[port(header = "Tone")]
    tone: Option<String>,
    /// As precisely as before.
    #[deprecated(since = "1.2.0", note = "days are enough")]
    hours: Option<u16>,
}

/// Tells the weather as before.
#[node]
#[deprecated(note = "use `report`")]
struct Old;

impl Node<Weather> for Report {
    type Output = String;
    type Error = Error;

    async fn run(self, _: &Weather, _: &Context) -> Result<String, Error> {
        #[allow(deprecated, reason = "it is still a part")]
        let hours = self.hours.map(|hours| format!(" and {hours} hours")).unwrap_or_default();
        let tone = self.tone.unwrap_or_default();
        Ok(format!("{tone}{} for {} days{hours}", self.region, self.days))
    }
}

#[allow(deprecated, reason = "it is still a node")]
impl Node<Weather> for Old {
    type Output = ();
    type Error = Error;

    async fn run(self, _: &Weather, _: &Context) -> Result<(), Error> {
        Ok(())
    }
}

/// A host in this process; it ends with the test.
async fn served(profile: Profile) -> String {
    let options = Options { profile, ..Options::default() };
    let router = nodecast::Host::new().nodeset::<Weather>(()).options(options).into_router().await.unwrap();
    nodecast_tests::serve(router).await
}

/// A request of the newer era.
async fn ask(url: &str, method: &str, mut params: Json, headers: &[(&str, &str)]) -> (u16, Json) {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let client = nodecast_tests::http().build().unwrap();
    let mut asked = client
        .post(format!("{url}/mcp"))
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", method)
        .json(&request(1, method, &params));
    for (name, value) in headers {
        asked = asked.header(*name, *value);
    }
    let answer = asked.send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

async fn tools(url: &str) -> Vec<Json> {
    let (_, list) = ask(url, "tools/list", json!({}), &[]).await;
    list["result"]["tools"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_host_lists_the_profile_that_it_is_told() {
    for profile in Profile::ALL {
        let catalog = nodecast::catalog::Catalog::of::<Weather>().unwrap();
        let expected: Vec<Json> =
            nodecast::contract::tools(&catalog, profile).iter().map(nodecast::contract::Tool::to_json).collect();
        let url = served(profile).await;
        assert_eq!(tools(&url).await, expected, "{}", profile.as_str());
        // Whatever is listed, the full contract is what is enforced.
        let call = json!({"name": "weather__report", "arguments": {"region": "north", "days": 10}});
        let headers = [("mcp-name", "weather__report"), ("mcp-param-region", "north"), ("mcp-param-days", "10")];
        let (_, refused) = ask(&url, "tools/call", call, &headers).await;
        assert_eq!(refused["result"]["isError"], true, "{refused}");
        assert!(refused["result"]["content"][0]["text"].as_str().unwrap().contains("/days"), "{refused}");
    }
}

#[tokio::test]
async fn a_mirrored_argument_is_marked_and_its_header_checked() {
    let url = served(Profile::Inline).await;
    let properties = tools(&url).await[0]["inputSchema"]["properties"].clone();
    assert_eq!(properties["region"], json!({"type": "string", "description": "Where.", "x-mcp-header": "Region"}));
    assert_eq!(properties["days"]["x-mcp-header"], "Days");
    // Clients drop a tool whose mark stands beside several types, and no header says null.
    let full = tools(&served(Profile::Full).await).await[0]["inputSchema"]["properties"]["tone"].clone();
    assert_eq!(full, json!({"type": "string", "description": "In which tone.", "x-mcp-header": "Tone"}));
    let call = json!({"name": "weather__report", "arguments": {"region": "north", "days": 3}});
    let name = ("mcp-name", "weather__report");
    let right = [name, ("mcp-param-region", "north"), ("mcp-param-days", "3")];
    let (status, answer) = ask(&url, "tools/call", call.clone(), &right).await;
    assert_eq!(
        (status, &answer["result"]["structuredContent"]["result"]),
        (200, &json!("north for 3 days")),
        "{answer}"
    );
    for wrong in [
        [name, ("mcp-param-region", "south"), ("mcp-param-days", "3")].as_slice(),
        &[name, ("mcp-param-region", "north"), ("mcp-param-days", "4")],
        &[name, ("mcp-param-days", "3")],
    ] {
        let (status, answer) = ask(&url, "tools/call", call.clone(), wrong).await;
        assert_eq!((status, &answer["error"]["code"]), (400, &json!(-32020)), "{wrong:?}: {answer}");
    }
    // What the profile does not publish, no client mirrors.
    let coarse = served(Profile::Reference).await;
    assert!(!tools(&coarse).await[0].to_string().contains("x-mcp-header"));
    assert_eq!(ask(&coarse, "tools/call", call, &[name]).await.0, 200);
}

#[tokio::test]
async fn what_is_deprecated_or_unstable_is_said() {
    let url = served(Profile::Inline).await;
    let tools = tools(&url).await;
    assert_eq!(tools[0]["_meta"], json!({"nodecast/unstable": true}));
    let hours = &tools[0]["inputSchema"]["properties"]["hours"];
    assert_eq!(hours["deprecated"], true);
    assert_eq!(hours["description"], "As precisely as before.\nDeprecated since 1.2.0: days are enough");
    assert_eq!(tools[1]["description"], "Tells the weather as before.\nDeprecated: use `report`");
    assert_eq!(tools[1].get("_meta"), None);
}

/// A label is text in an editor; a call knows nothing of it.
#[tokio::test]
async fn a_label_stands_in_the_manifest_alone() {
    #[nodeset(name = "shown", nodes(Labelled))]
    #[derive(Default)]
    struct Shown;

    #[node]
    struct Labelled {
        /// Mind the gap.
        #[config(label)]
        hint: (),
        text: String,
    }

    impl Node<Shown> for Labelled {
        type Output = String;
        type Error = Error;

        async fn run(self, _: &Shown, _: &Context) -> Result<String, Error> {
            let () = self.hint;
            Ok(self.text)
        }
    }

    let client = nodecast::testing::Client::<Shown>::start(()).await.unwrap();
    let manifest = client.manifest().unwrap();
    assert_eq!(manifest["functions"][0]["ui_config"]["config_fields"][0]["field_type"], "label");
    for profile in Profile::ALL {
        let tool = &nodecast::contract::tools(client.service().catalog(), profile)[0];
        let names: Vec<_> = tool.input_schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(names, ["text"], "{}", profile.as_str());
    }
    assert_eq!(client.call("labelled", json!({"text": "a", "hint": "b"})).await.unwrap_err().kind(), "unknown_field");
}
