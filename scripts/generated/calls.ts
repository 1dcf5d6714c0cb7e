// Calls every node of the fixtures with the TypeScript clients that `codegen-cli generate` made of them.
//
//     calls.js CASES PHOTOGRAPHS KITCHEN VISION
//
// CASES is the file that `cargo test --workspace --test faces -- --ignored cases_for_other_clients` writes; KITCHEN and
// VISION are the addresses of two hosts. Beside this file lie the clients.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import * as kitchen from "./kitchen.js";
import * as pantry from "./pantry.js";
import * as vision from "./vision.js";

const [casesFile = "", photographs = "", kitchenAt = "", visionAt = ""] = process.argv.slice(2);

interface Case {
  tool: string;
  refused: string | null;
  spelled: { arguments: Record<string, unknown>; outputs: unknown };
}

type Module = { NdArray: typeof kitchen.NdArray; NodeError: typeof kitchen.NodeError };

const bytes = (buffer: Buffer) => Uint8Array.from(buffer);

/** A value as the cases spell it, in the types of the language: `@cat.jpg` is that photograph, `0x00` are bytes. */
function native(module: Module, spelled: any): any {
  if (typeof spelled === "string" && spelled.startsWith("@")) return bytes(readFileSync(join(photographs, spelled.slice(1))));
  if (typeof spelled === "string" && spelled.startsWith("0x")) return bytes(Buffer.from(spelled.slice(2), "hex"));
  if (Array.isArray(spelled)) return spelled.map((item) => native(module, item));
  if (spelled === null || typeof spelled !== "object") return spelled;
  if ("__ndarray__" in spelled) {
    return new module.NdArray(bytes(Buffer.from(spelled.__ndarray__, "base64")), spelled.dtype, spelled.shape);
  }
  return Object.fromEntries(Object.entries(spelled).map(([key, item]) => [key, native(module, item)]));
}

/** Pictures that nobody decoded. */
function encoded(value: unknown): string[] {
  if (typeof value === "string") return value.startsWith("iVBORw0KGgo") ? [value.slice(0, 40)] : [];
  if (value === null || typeof value !== "object" || value instanceof Uint8Array) return [];
  return Object.values(value).flatMap(encoded);
}

const camel = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
const upper = (name: string) => camel(`_${name}`);

async function check(module: Module, client: any, { tool, refused, spelled }: Case): Promise<void> {
  const node = tool.slice(tool.indexOf("__") + 2);
  // A fire list is refused over MCP alone.
  const kind = refused === "fire_list" ? null : refused;
  let came: any;
  try {
    came = await client[camel(node)](native(module, spelled.arguments));
  } catch (error: any) {
    assert.ok(error instanceof module.NodeError, `${tool}: ${error}`);
    assert.equal(error.type, kind, `${tool}: ${error.message}`);
    const declared = (module as any)[`${upper(kind!.replace(/_error$/, ""))}Error`] ?? module.NodeError;
    assert.equal(error.constructor, declared, tool);
    return;
  }
  assert.equal(kind, null, `${tool} was not refused: ${JSON.stringify(came)}`);
  assert.deepEqual(encoded(came), [], tool);
  if (refused === "fire_list") assert.ok(came.__firelist__.specs.length > 0, tool);
  if (spelled.outputs !== null) assert.deepEqual(came, native(module, spelled.outputs), tool);
}

/** What a person would write, for the type checker as much as for the run. */
async function typed(eyes: vision.Vision, cook: kitchen.Kitchen): Promise<void> {
  const image = bytes(readFileSync(join(photographs, "coins.png")));
  const { overlay, objects } = await eyes.segment({ image, min_area: 0.001, polarity: "auto" });
  const widths: number[] = objects.map((object) => object.box.width);
  assert.deepEqual([...overlay.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  assert.ok(widths.length > 10);
  await assert.rejects(eyes.edges({ image, low: 300 }), (error: unknown) => {
    assert.ok(error instanceof vision.ThresholdsCrossedError);
    assert.deepEqual([error.stage, error.retryable, error.status, error.name], ["adapter_execution", false, 500, "ThresholdsCrossedError"]);
    return true;
  });
  const array = new kitchen.NdArray(bytes(Buffer.from(Float32Array.of(1, -2.5).buffer)), "float32", [1, 2]);
  const doubled = (await cook.tensor({ array })).result;
  assert.deepEqual([[...(doubled.numbers() as Float32Array)], doubled.shape], [[2, -5], [1, 2]]);
  assert.equal((await cook.one()).result.scoville, 40000);
  const given = AbortSignal.abort();
  await assert.rejects(cook.one({}, { signal: given }));
  assert.match(vision.Vision.contract, /^sha256:/);
}

const cook = new kitchen.Kitchen(kitchenAt);
const eyes = new vision.Vision(visionAt);
const clients: Record<string, [Module, object]> = {
  kitchen: [kitchen as unknown as Module, cook],
  store: [pantry as unknown as Module, new pantry.Pantry(kitchenAt)],
  vision: [vision as unknown as Module, eyes],
};
const called = new Set<string>();
for (const one of JSON.parse(readFileSync(casesFile, "utf8")) as Case[]) {
  const [prefix = ""] = one.tool.split("__");
  const found = clients[prefix];
  if (found === undefined) continue;
  await check(...found, one);
  called.add(camel(one.tool.slice(prefix.length + 2)) + prefix);
}
for (const [prefix, [, client]] of Object.entries(clients)) {
  for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(client))) {
    assert.ok(name === "constructor" || called.has(name + prefix), `no case calls ${prefix} ${name}`);
  }
}
await typed(eyes, cook);
console.log(`ok: TypeScript, ${called.size} nodes`);
