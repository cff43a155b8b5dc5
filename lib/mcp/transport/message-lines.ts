// Splits the standard output of a server into messages, one JSON object a line.
// Guarantees: holds one unfinished line of at most `messageLimit` units; what is no message is reported and passed over.
import { describeJsonFault } from '../../streams/values/json-fault.ts'
import { isRecord } from '../../streams/values/json.ts'
import { previewStart } from '../../streams/values/display-text.ts'
import type { McpJson } from '../contract/mcp-peer.ts'

/** UTF-16 units of one message: as much as a line of rxpi's own protocol has bytes. */
export const messageLimit = 16 * 2 ** 20

export interface MessageLines {
  onMessage(message: McpJson): void
  /** A line that is no message: `preview` is its start on one line. */
  onForeignLine(line: { readonly preview: string; readonly reason: string }): void
  /** A line is longer than the limit; nothing more is emitted. */
  onTooLong(): void
}

export interface LineSplitter {
  push(text: string): void
}

/** A splitter for text in any pieces. It calls back within `push`. */
export function splitMessages(sink: MessageLines, limit = messageLimit): LineSplitter {
  let pieces: string[] = []
  let length = 0
  let isOver = false
  const takeLine = (end: string): void => {
    const line = pieces.length === 0 ? end : [...pieces, end].join('')
    pieces = []
    length = 0
    readLine(line, sink)
  }
  const stop = (): void => {
    isOver = true
    pieces = []
    sink.onTooLong()
  }
  const push = (text: string): void => {
    if (isOver) return
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      if (length + end - start > limit) {
        stop()
        return
      }
      takeLine(text.slice(start, end))
      start = end + 1
    }
    const rest = text.length - start
    if (length + rest > limit) stop()
    else if (rest > 0) pieces.push(text.slice(start))
    length += rest
  }
  return { push }
}

function readLine(line: string, sink: MessageLines): void {
  const text = line.trim()
  if (text === '') return
  const message = parse(text)
  if (isRecord(message) && message['jsonrpc'] === '2.0') {
    sink.onMessage(message)
    return
  }
  const reason = message === undefined ? describeJsonFault(text) : 'it is no JSON-RPC message'
  sink.onForeignLine({ preview: previewStart(text), reason })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined // the line is reported with the position of the fault
  }
}
