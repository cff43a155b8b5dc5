// Declares the part of a tracer that spans need; that of `@opentelemetry/api` fits.

export type SpanValue = string | number | boolean | string[]
export type SpanAttributes = Readonly<Record<string, SpanValue>>

/** A span of `@opentelemetry/api`. Times are Unix ms. */
export interface SpanPort {
  setAttributes(attributes: Record<string, SpanValue>): unknown
  addEvent(name: string, attributes?: Record<string, SpanValue>, time?: number): unknown
  /** @param status code 1 is `OK`, 2 is `ERROR` */
  setStatus(status: { code: number; message?: string }): unknown
  end(time?: number): void
}

/** A context of `@opentelemetry/api`: values by key, immutable. */
export interface SpanContextPort {
  getValue(key: symbol): unknown
  setValue(key: symbol, value: unknown): SpanContextPort
  deleteValue(key: symbol): SpanContextPort
}

/** A tracer of `@opentelemetry/api`: `trace.getTracer('rxpi')`. */
export interface TracerPort {
  startSpan(
    name: string,
    options: { kind: number; attributes: Record<string, SpanValue>; startTime?: number },
    context: SpanContextPort,
  ): SpanPort
}

/** `SpanKind` of `@opentelemetry/api`. */
export const spanKinds = { internal: 0, client: 2 } as const

/** `SpanStatusCode.ERROR` of `@opentelemetry/api`. */
export const errorStatus = 2

/** The key of the parent; the API makes it by `Symbol.for`, so that several copies of it agree. */
const parentKey = Symbol.for('OpenTelemetry Context Key SPAN')

/** The context in which a span has this parent; without one it is the first of a trace. */
export function contextOf(parent: SpanPort | undefined): SpanContextPort {
  return contextWith(new Map(parent === undefined ? [] : [[parentKey, parent]]))
}

function contextWith(values: ReadonlyMap<symbol, unknown>): SpanContextPort {
  return {
    getValue: (key) => values.get(key),
    setValue: (key, value) => contextWith(new Map([...values, [key, value]])),
    deleteValue: (key) => contextWith(new Map([...values].filter(([each]) => each !== key))),
  }
}
