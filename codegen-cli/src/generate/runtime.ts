/** Whatever JSON can say. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** An array of numbers in several dimensions, row by row. */
export class NdArray {
  /** The numbers, little endian. */
  readonly data: Uint8Array;
  /** Their type, such as `float32`. */
  readonly dtype: string;
  /** How many there are in each dimension. */
  readonly shape: number[];

  constructor(data: Uint8Array, dtype: string, shape: number[]) {
    this.data = data;
    this.dtype = dtype;
    this.shape = shape;
  }

  /** The numbers as an array of the language. */
  numbers(): ArrayLike<number | bigint> {
    const { buffer, byteOffset, byteLength } = this.data.slice();
    const kinds: Record<string, any> = {
      bool: Uint8Array, uint8: Uint8Array, int8: Int8Array, uint16: Uint16Array, int16: Int16Array, uint32: Uint32Array,
      int32: Int32Array, uint64: BigUint64Array, int64: BigInt64Array, float32: Float32Array, float64: Float64Array,
    };
    const kind = kinds[this.dtype];
    if (kind === undefined) throw new TypeError(`no array of the language holds ${this.dtype}`);
    return new kind(buffer, byteOffset, byteLength / kind.BYTES_PER_ELEMENT);
  }
}

/** A call that did not succeed. */
export class NodeError extends Error {
  /** The kind, such as `unknown_field` or one that the node declares. */
  readonly type: string;
  /** Where it arose, such as `schema_validation` or `adapter_execution`. */
  readonly stage: string | undefined;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** The place in the arguments that it is about. */
  readonly pointer: string | undefined;
  /** The status of HTTP. */
  readonly status: number;

  constructor(answer: any, status: number, statusText: string) {
    super(answer?.detail ?? statusText);
    this.name = new.target.name;
    this.type = answer?.type ?? "protocol";
    this.stage = answer?.stage;
    this.retryable = answer?.retryable === true;
    this.pointer = answer?.pointer;
    this.status = status;
  }
}

/** What a call may have besides its arguments. */
export interface CallOptions {
  /** Gives the call up. */
  signal?: AbortSignal;
}

/** What a client may have besides an address. */
export interface ClientOptions {
  /** The bearer token that the server asks for. */
  token?: string;
  /** The lease of an exclusive nodeset. */
  lease?: string;
  /** Another `fetch` than that of the platform. */
  fetch?: typeof fetch;
}

/** A connection to a host. */
export class Client {
  private readonly base: string;
  private readonly options: ClientOptions;

  /** `base` is the address that the host prints, such as `http://127.0.0.1:9200`. */
  constructor(base: string, options: ClientOptions = {}) {
    this.base = base.replace(/\/+$/, "");
    this.options = options;
  }

  protected async call(
    name: string,
    args: object,
    config: string[],
    errors: Map<string, typeof NodeError>,
    { signal }: CallOptions,
  ): Promise<any> {
    const body: Record<"inputs" | "config", Record<string, Json>> = { inputs: {}, config: {} };
    for (const [key, value] of Object.entries(args)) {
      if (value !== undefined) body[config.includes(key) ? "config" : "inputs"][key] = encoded(value);
    }
    const headers: Record<string, string> = { "content-type": "application/json" };
    if (this.options.token !== undefined) headers["authorization"] = `Bearer ${this.options.token}`;
    if (this.options.lease !== undefined) headers["nodecast-lease"] = this.options.lease;
    const url = `${this.base}/call/${encodeURIComponent(name)}`;
    const request: RequestInit = { method: "POST", headers, body: JSON.stringify(body) };
    if (signal !== undefined) request.signal = signal;
    const response = await (this.options.fetch ?? fetch)(url, request);
    const text = await response.text();
    let answer: any;
    try {
      answer = JSON.parse(text);
    } catch {
      answer = { detail: text.slice(0, 200) || response.statusText };
    }
    if (response.ok && answer !== null && typeof answer === "object") return answer;
    const kind = errors.get(answer?.type) ?? NodeError;
    throw new kind(answer, response.status, response.statusText);
  }
}

function base64(bytes: Uint8Array): string {
  let text = "";
  // In pieces, since arguments of a function are limited.
  for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  return btoa(text);
}

function bytes(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

function array(marker: any): NdArray {
  return new NdArray(bytes(marker.__ndarray__), marker.dtype, marker.shape);
}

function mapped<T>(values: Record<string, any>, made: (item: any) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([key, item]) => [key, made(item)]));
}

function has(value: any, name?: string): boolean {
  return value !== null && typeof value === "object" && !Array.isArray(value) && (name === undefined || name in value);
}

function encoded(value: unknown): Json {
  if (value instanceof Uint8Array) return base64(value);
  if (value instanceof NdArray) return { __ndarray__: base64(value.data), dtype: value.dtype, shape: value.shape };
  if (Array.isArray(value)) return value.map(encoded);
  if (value !== null && typeof value === "object") return mapped(value as Record<string, unknown>, encoded);
  return value as Json;
}

// Not every client has all of these.
void [bytes, array, mapped, has];
