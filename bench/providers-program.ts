// Measures each API's readers in turns, so that a slow phase affects all; writes JSON.
import { createParser } from 'eventsource-parser'
import type { Provider } from '../lib/streams/ports/provider.ts'
import { liveHeap } from './live-heap.ts'
import { benchedApis } from './provider-wires.ts'
import type { BenchedApi } from './provider-wires.ts'

/** Microseconds of CPU a delta, one figure a run. */
export interface ProviderSamples {
  readonly api: string
  readonly deltas: number
  readonly ours: number[]
  /** The SDK's own iterator. */
  readonly sdk: number[]
  /** `eventsource-parser` and `JSON.parse`, nothing else. */
  readonly bare: number[]
  /** A tool call's argument in as many pieces, and in a quarter of them. */
  readonly args: { readonly whole: number[]; readonly quarter: number[] }
  /** MiB of live heap above the start, at a quarter and at three quarters of the answer. */
  readonly heap: { readonly early: number; readonly late: number }
}

const deltas = 100_000
const rounds = Number(process.argv[2] ?? 5)
/** As a socket delivers them: many frames at once. */
const chunkBytes = 16_384

const all = benchedApis.map((wire) => ({ wire, samples: newSamples(wire.api) }))
for (const { wire } of all) await takeSamples(wire, newSamples(wire.api), 20_000) // compiles hot code
for (let round = 0; round < rounds; round++)
  for (const { wire, samples } of all) await takeSamples(wire, samples, deltas)
for (const entry of all) entry.samples = { ...entry.samples, heap: await heapOf(entry.wire) }
process.stdout.write(JSON.stringify(all.map(({ samples }) => samples)))

function newSamples(api: string): ProviderSamples {
  const heap = { early: 0, late: 0 }
  return { api, deltas, ours: [], sdk: [], bare: [], args: { whole: [], quarter: [] }, heap }
}

async function takeSamples(wire: BenchedApi, samples: ProviderSamples, count: number): Promise<void> {
  const chunks = chunksOf(wire.frames(count))
  samples.bare.push((await cpu(() => bareParse(chunks, count))) / count)
  samples.ours.push((await cpu(() => read(wire, chunks, count))) / count)
  samples.sdk.push((await cpu(() => iterate(wire, chunks, count))) / count)
  const quarter = count / 4
  for (const [pieces, into] of [
    [count, samples.args.whole],
    [quarter, samples.args.quarter],
  ] as const) {
    const call = chunksOf(wire.argumentFrames(pieces))
    into.push((await cpu(() => read(wire, call, pieces))) / pieces)
  }
}

async function cpu(work: () => Promise<void>): Promise<number> {
  globalThis.gc?.()
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

async function read(wire: BenchedApi, chunks: readonly Uint8Array[], expected: number): Promise<void> {
  let received = 0
  await drained(
    wire.provider({ provider: 'bench', baseUrl: 'http://bench.invalid', fetch: answering(chunks) }),
    () => received++,
  )
  check(received, expected)
}

function drained(provider: Provider, onDelta: () => void): Promise<void> {
  const model = { id: 'm', provider: 'bench', api: 'bench', inputs: ['text' as const], reasoning: false }
  const messages = [{ role: 'user', content: 'Hello', timestamp: 0 } as const]
  return new Promise((resolve, reject) => {
    provider({ model, system: '', messages, tools: [], thinkingLevel: 'off' }).subscribe({
      next: ({ type }) => {
        if (type.endsWith('_delta')) onDelta()
      },
      error: reject,
      complete: resolve,
    })
  })
}

async function iterate(wire: BenchedApi, chunks: readonly Uint8Array[], expected: number): Promise<void> {
  let events = 0
  const iterated = await wire.iterate(answering(chunks))
  for await (const event of iterated) if (event !== undefined) events++
  check(events, expected)
}

async function bareParse(chunks: readonly Uint8Array[], expected: number): Promise<void> {
  let events = 0
  const decoder = new TextDecoder()
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data !== '[DONE]' && JSON.parse(data) !== undefined) events++
    },
  })
  const { body } = await answering(chunks)('http://bench.invalid')
  const bytes: AsyncIterable<Uint8Array> | null = body
  if (bytes !== null) for await (const chunk of bytes) parser.feed(decoder.decode(chunk, { stream: true }))
  check(events, expected)
}

function check(received: number, expected: number): void {
  if (received < expected) throw new Error(`${received} of ${expected} were received`)
}

function answering(chunks: Iterable<Uint8Array>): typeof globalThis.fetch {
  return () => Promise.resolve(new Response(streamOf(chunks), { headers: { 'content-type': 'text/event-stream' } }))
}

function streamOf(chunks: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const rest = chunks[Symbol.iterator]()
  return new ReadableStream({
    pull: (controller) => {
      const next = rest.next()
      if (next.done === true) controller.close()
      else controller.enqueue(next.value)
    },
  })
}

function chunksOf(frames: Iterable<string>): Uint8Array[] {
  return [...chunked(frames)]
}

function* chunked(frames: Iterable<string>): Generator<Uint8Array> {
  const encoder = new TextEncoder()
  let waiting = ''
  for (const frame of frames) {
    waiting += frame
    if (waiting.length < chunkBytes) continue
    yield encoder.encode(waiting)
    waiting = ''
  }
  yield encoder.encode(waiting)
}

/** The frames are generated while they are read, so that only the reader holds memory. */
async function heapOf(wire: BenchedApi): Promise<ProviderSamples['heap']> {
  const before = liveHeap()
  const heap = { early: 0, late: 0 }
  let received = 0
  const fetch = answering(chunked(wire.frames(deltas)))
  await drained(wire.provider({ provider: 'bench', baseUrl: 'http://bench.invalid', fetch }), () => {
    received++
    if (received === deltas / 4) heap.early = (liveHeap() - before) / 2 ** 20
    if (received === (deltas / 4) * 3) heap.late = (liveHeap() - before) / 2 ** 20
  })
  return heap
}
