// Lines of the proxy become deltas: each is checked, a type that is not known is passed over, and a failure is thrown.
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { Failure } from '../../streams/values/failure.ts'
import { proxyLines } from '../../streams/events/proxy-line.ts'
import type { ProxyLine } from '../../streams/events/proxy-line.ts'
import { checkAssistantDelta } from '../../streams/validation/validators.ts'
import { failureOf } from './proxy-response.ts'
import { recordOf } from '../http/json-field.ts'

/** UTF-16 units; nothing that the proxy sends is longer. */
const longestLine = 16 * 1024 * 1024

export interface ProxyDecoder {
  /** Takes text as it comes, and gives each line when it is whole. @throws Failure `provider_error` */
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
  'done',
])

export function proxyDecoder(provider: string, emit: (delta: AssistantDelta) => void): ProxyDecoder {
  const lines = proxyLines()
  let begun: string[] = []
  let length = 0
  const take = (line: string): void => {
    if (line.trim() === '') return // keeps the connection alive
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
  // a `toolcall_end` need not have arguments
  const checked = checkAssistantDelta(type === 'toolcall_end' ? { arguments: {}, ...recordOf(value) } : value)
  if (!checked.ok) throw broken(`${provider} sent a ${type} that does not fit: ${checked.problem}.`, 'network')
  return whole(value as Exclude<ProxyLine, { type: 'failure' }>) // just checked
}

function broken(message: string, kind: 'network' | 'bad_request'): Failure {
  return new Failure('provider_error', message, { data: { kind } })
}
