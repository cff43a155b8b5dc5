// Loads recorded exchanges: the wire text, and the result of an independent reducer.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'

export interface RecordedExchange {
  readonly id: string
  readonly response: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    /** The wire text, if joined. */
    readonly body_chunks: readonly string[]
  }
  readonly reference: Reference | ErrorReference
}

export interface Reference {
  readonly text: string
  readonly thinking: string
  readonly tool_calls: readonly { readonly id: string | null; readonly name: string; readonly arguments: unknown }[]
  readonly finish_reason: string | null
  readonly usage: Readonly<Record<string, unknown>> | null
  readonly error: unknown
}

export interface ErrorReference {
  readonly http_error: number
  readonly body: unknown
}

interface Exchanges {
  readonly own: readonly RecordedExchange[]
  readonly recorded: readonly RecordedExchange[]
}

/** The exchanges of one API: the project's own, and the recorded set if `RXPI_FIXTURES` names its folder. */
export function recordedExchanges(api: string, { isRecorded = true } = {}): Exchanges {
  const folder = process.env['RXPI_FIXTURES']
  return {
    own: readFolder(path.join(import.meta.dirname, '../../fixtures', api)),
    recorded: folder === undefined || !isRecorded ? [] : readFolder(path.join(folder, 'sse', api)),
  }
}

/**
 * Cuts the wire text behind each terminal event that another answer follows. A recording of several requests holds their
 * answers in one text. `[DONE]` and pings behind a terminal event belong to its answer.
 */
export function answersOf(wire: string): string[] {
  const answers: string[] = []
  let start = 0
  let isEnded = false
  for (const { 0: line, index } of wire.matchAll(/^(?:event: ?.*\r?\n)?data: ?(.*)$/gm)) {
    const type = /^\{\s*"type":\s*"([^"]*)"/.exec(line.slice(line.indexOf('{')))?.[1] ?? ''
    if (isEnded && firstEvents.has(type)) {
      answers.push(wire.slice(start, index))
      start = index
      isEnded = false
    }
    isEnded ||= terminalEvents.has(type)
  }
  return [...answers, wire.slice(start)]
}

const firstEvents = new Set(['message_start', 'response.created'])
const terminalEvents = new Set(['message_stop', 'response.completed', 'response.incomplete', 'response.failed'])

/** Cuts the wire text into pieces of 1 to 40 bytes, always the same for one text. Cuts can split characters. */
export function cutAtRandom(wire: string | Uint8Array, longest = 40): Uint8Array[] {
  const bytes = typeof wire === 'string' ? Buffer.from(wire) : wire
  const pieces: Uint8Array[] = []
  let seed = bytes.length
  for (let start = 0; start < bytes.length;) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    const end = start + 1 + ((seed >>> 16) % longest)
    pieces.push(bytes.subarray(start, end))
    start = end
  }
  return pieces
}

function readFolder(folder: string): RecordedExchange[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return names.sort().map((name) => {
    const exchange: unknown = JSON.parse(readFileSync(path.join(folder, name), 'utf8'))
    return { ...(exchange as RecordedExchange), id: name.slice(0, -'.json'.length) } // these files have this shape
  })
}
