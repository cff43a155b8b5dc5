// Lines wait while the client takes none: pieces of one block are joined there, so that what waits is never more than the answer's own text.
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { proxyLines } from '../../streams/events/proxy-line.ts'
import type { ProxyLine } from '../../streams/events/proxy-line.ts'

export interface DeltaLines {
  /** UTF-16 units of text that wait. */
  readonly length: number
  add(delta: AssistantDelta): void
  /** All that waits, as lines; nothing waits after it. */
  take(): string
}

type Piece = Extract<ProxyLine, { type: 'text_delta' | 'thinking_delta' | 'toolcall_delta' }>

/** Of one answer. */
export function deltaLines(): DeltaLines {
  const lines = proxyLines()
  let waiting: ProxyLine[] = []
  let length = 0
  return {
    get length() {
      return length
    },
    add: (delta) => {
      const line = lines.thin(delta)
      const last = waiting.at(-1)
      length += isPiece(line) ? line.text.length : 0
      if (last !== undefined && isPiece(last) && isPiece(line) && continues(last, line)) {
        waiting[waiting.length - 1] = { ...last, text: last.text + line.text }
      } else waiting.push(line)
    },
    take: () => {
      const text = waiting.map((line) => `${JSON.stringify(line)}\n`).join('')
      waiting = []
      length = 0
      return text
    },
  }
}

function isPiece(line: ProxyLine): line is Piece {
  return line.type === 'text_delta' || line.type === 'thinking_delta' || line.type === 'toolcall_delta'
}

function continues(last: Piece, line: Piece): boolean {
  return last.type === line.type && last.contentIndex === line.contentIndex
}
