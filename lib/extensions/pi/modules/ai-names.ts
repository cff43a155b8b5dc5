// Gives extensions the names of pi-ai: schemas, ids, and the stream that a provider fills.
import { randomBytes } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { contentText } from '../contract/pi-shapes.ts'
import type { PiMessage, PiRecord } from '../contract/pi-shapes.ts'

/** A schema of texts that all APIs accept. */
export function StringEnum(values: readonly string[], options: PiRecord = {}): object {
  return Type.Unsafe({ type: 'string', enum: [...values], ...options })
}

/** An id that sorts by its time. */
export function uuidv7(): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(Date.now(), 0, 6)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Events that are pushed, read by `for await`; holds what is not read yet. */
export class EventStream<Event, Result = Event> implements AsyncIterable<Event> {
  readonly #waiting: ((next: IteratorResult<Event>) => void)[] = []
  readonly #events: Event[] = []
  readonly #result = Promise.withResolvers<Result>()
  readonly #isLast: (event: Event) => boolean
  readonly #resultOf: (event: Event) => Result
  #ended = false

  constructor(isLast: (event: Event) => boolean, resultOf: (event: Event) => Result) {
    this.#isLast = isLast
    this.#resultOf = resultOf
  }

  push(event: Event): void {
    if (this.#ended) return
    const reader = this.#waiting.shift()
    if (reader === undefined) this.#events.push(event)
    else reader({ done: false, value: event })
    if (!this.#isLast(event)) return
    this.#result.resolve(this.#resultOf(event))
    this.end()
  }

  end(result?: Result): void {
    this.#ended = true
    if (result !== undefined) this.#result.resolve(result)
    for (const reader of this.#waiting.splice(0)) reader({ done: true, value: undefined })
  }

  result(): Promise<Result> {
    return this.#result.promise
  }

  [Symbol.asyncIterator](): AsyncIterator<Event> {
    return {
      next: () => {
        const value = this.#events.shift()
        if (value !== undefined) return Promise.resolve({ done: false, value })
        if (this.#ended) return Promise.resolve({ done: true, value: undefined })
        return new Promise((resolve) => this.#waiting.push(resolve))
      },
    }
  }
}

export function createAssistantMessageEventStream(): EventStream<PiRecord, unknown> {
  const isLast = ({ type }: PiRecord): boolean => type === 'done' || type === 'error'
  return new EventStream(isLast, (event) => (event['type'] === 'done' ? event['message'] : event['error']))
}

/** Fills in the cost of a message's usage by the prices of its model, in USD per million tokens. */
export function calculateCost(
  model: { cost: Record<string, number> },
  usage: Record<string, number> & { cost: Record<string, number> },
): Record<string, number> {
  const kinds = ['input', 'output', 'cacheRead', 'cacheWrite']
  for (const kind of kinds) usage.cost[kind] = ((model.cost[kind] ?? 0) / 1_000_000) * (usage[kind] ?? 0)
  usage.cost['total'] = kinds.reduce((sum, kind) => sum + (usage.cost[kind] ?? 0), 0)
  return usage.cost
}

/** The text of the system message at the start of a transcript. */
export function getCurrentSystemPrompt(messages: readonly PiMessage[]): string | undefined {
  const system = messages.find(({ role }) => role === 'system')
  return system === undefined ? undefined : contentText(system.content)
}

export function getCurrentTools(messages: readonly PiMessage[]): readonly unknown[] {
  const system = messages.find(({ role }) => role === 'system') as { readonly tools?: readonly unknown[] } | undefined
  return system?.tools ?? []
}
