// Decodes the lines of the proxy to deltas; checks each line, skips unknown types and throws failures.
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { Failure } from '../../streams/values/failure.ts'
import { createProxyLines } from '../../streams/events/proxy-line.ts'
import type { ProxyLine } from '../../streams/events/proxy-line.ts'
import { checkProxyDelta } from '../../streams/validation/check-proxy-delta.ts'
import { failureOf } from './proxy-response.ts'
import { recordOf } from '../http/json-field.ts'

/** The longest line of the proxy, in UTF-16 units. */
const longestLine = 16 * 1024 * 1024

export interface ProxyDecoder {
  /** Takes text in chunks and decodes each complete line. @throws Failure `provider_error` */
  read(text: string): void
}

const known: ReadonlySet<string> = new Set<AssistantDelta['type']>([
  'start',
  'text_start',
  'text_delta',
  'text_end',
  'thinking_start',
  'thinking_delta',
  'thinking_end',
  'toolcall_start',
  'toolcall_delta',
  'toolcall_end',
  'usage',
  'warning',
  'done',
])

export function proxyDecoder(provider: string, emit: (delta: AssistantDelta) => void): ProxyDecoder {
  const lines = createProxyLines()
  let begun: string[] = []
  let length = 0
  const take = (line: string): void => {
    if (line.trim() === '') return // a keep-alive
    const delta = deltaOf(provider, line, lines.whole)
    if (delta !== undefined) emit(delta)
  }
  return {
    read: (text) => {
      const [first = '', ...rest] = text.split('\n')
      begun.push(first)
      length += first.length
      for (const next of rest) {
        take(begun.join(''))
        begun = [next]
        length = next.length
      }
      if (length > longestLine) throw broken(`${provider} sent a line of more than 16 Mi characters.`, 'bad_request')
    },
  }
}

function deltaOf(
  provider: string,
  line: string,
  whole: (line: Exclude<ProxyLine, { type: 'failure' }>) => AssistantDelta,
): AssistantDelta | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw broken(`${provider} sent a line that is no JSON; the stream was damaged on the way.`, 'network')
  }
  const { type } = recordOf(value)
  if (type === 'failure') throw failureOf(value) ?? broken(`${provider} failed and did not say how.`, 'network')
  if (typeof type !== 'string' || !known.has(type)) return undefined
  // the arguments of a `toolcall_end` are optional
  const checked = checkProxyDelta(type === 'toolcall_end' ? { arguments: {}, ...recordOf(value) } : value)
  if (!checked.ok) throw broken(`${provider} sent a ${type} that does not fit: ${checked.problem}.`, 'network')
  return whole(value as Exclude<ProxyLine, { type: 'failure' }>) // checked above
}

function broken(message: string, kind: 'network' | 'bad_request'): Failure {
  return new Failure('provider_error', message, { data: { kind } })
}
