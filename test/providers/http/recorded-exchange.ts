// Recorded exchanges with providers: the wire text, and what a reducer that knows nothing of us made of it.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'

export interface RecordedExchange {
  readonly id: string
  readonly response: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    /** Joined they are the wire text. */
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

/** The exchanges of one API: those that the project wrote itself, and the recorded set where `RXPI_FIXTURES` names its folder. */
export function recordedExchanges(api: string): {
  readonly own: readonly RecordedExchange[]
  readonly recorded: readonly RecordedExchange[]
} {
  const folder = process.env['RXPI_FIXTURES']
  return {
    own: readFolder(path.join(import.meta.dirname, '../../fixtures', api)),
    recorded: folder === undefined ? [] : readFolder(path.join(folder, 'sse', api)),
  }
}

/** The wire text in pieces of 1 to 40 bytes, the same for the same text: cuts fall into characters too. */
export function cutAtRandom(text: string, longest = 40): Uint8Array[] {
  const bytes = Buffer.from(text)
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
    return { ...(exchange as RecordedExchange), id: name.slice(0, -'.json'.length) } // written in this shape
  })
}
