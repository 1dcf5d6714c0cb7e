"""Reads the resources and gets the prompts of the nodeset `kitchen` with the official Python MCP SDK, whichever major version.

    python_offers.py http URL
    python_offers.py stdio COMMAND [ARGUMENT ...]
"""

import asyncio
import base64
import sys

import mcp
from mcp import types
from python_sdk import connect, plain


async def read(client, uri):
    contents = plain(await client.read_resource(uri))["contents"]
    assert len(contents) == 1, contents
    return contents[0]


async def complete(client, reference, name, value, chosen):
    result = await client.complete(reference, {"name": name, "value": value}, chosen)
    return plain(result)["completion"]["values"]


async def check(client):
    resources = {one["uri"]: one for one in plain(await client.list_resources())["resources"]}
    assert sorted(resources) == ["kitchen://menu", "kitchen://sign"], resources
    assert resources["kitchen://menu"]["title"] == "Menu", resources
    menu = await read(client, "kitchen://menu")
    assert menu["mimeType"] == "text/markdown" and menu["text"].startswith("# Today"), menu
    sign = await read(client, "kitchen://sign")
    assert base64.b64decode(sign["blob"]).startswith(b"\x89PNG"), sign

    templates = [one["uriTemplate"] for one in plain(await client.list_resource_templates())["resourceTemplates"]]
    assert templates == ["kitchen://recipes/{course}/{dish}"], templates
    recipe = await read(client, "kitchen://recipes/starter/sorrel%20tart")
    assert recipe["text"] == "take what belongs into sorrel tart, and cook it", recipe
    for uri in ["kitchen://nothing", "kitchen://recipes/starter/strudel"]:
        try:
            await client.read_resource(uri)
        except Exception as error:  # The two versions name it differently.
            assert "kitchen" in str(error) or "strudel" in str(error), error
        else:
            raise AssertionError(f"{uri} was read")

    [prompt] = plain(await client.list_prompts())["prompts"]
    assert prompt["name"] == "kitchen__plan_meal", prompt
    assert [one["name"] for one in prompt["arguments"] if one["required"]] == ["guests"], prompt
    made = plain(await client.get_prompt("kitchen__plan_meal", {"guests": "3", "course": "dessert"}))
    assert [message["role"] for message in made["messages"]] == ["user", "user", "assistant"], made
    assert made["messages"][0]["content"]["text"] == "Plan a meal for 3 with anything.", made
    assert made["messages"][1]["content"]["resource"]["text"] == "there is sorbet, strudel", made

    template = types.ResourceTemplateReference(type="ref/resource", uri=templates[0])
    assert await complete(client, template, "dish", "so", {"course": "starter"}) == ["soup", "sorrel tart"]
    assert await complete(client, template, "course", "", None) == ["starter", "dessert"]
    reference = types.PromptReference(type="ref/prompt", name=prompt["name"])
    assert await complete(client, reference, "dish", "sor", None) == ["sorrel tart", "sorbet"]


async def main(where):
    # Version 2 speaks both protocol eras, and so does the server.
    for mode in ["legacy", "auto"] if hasattr(mcp, "Client") else [None]:
        async with asyncio.timeout(120):
            async with connect(where, mode) as client:
                await check(client)
        print(f"ok: resources and prompts, {where[0]}, {mode or 'initialize'}")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
