// Tests the redaction of a call's events, in virtual time.
import { NEVER, concat, of, throwError, toArray } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { executeCall } from '../../../lib/operators/tool-calls/execute-call.ts'
import { redactToolEvents } from '../../../lib/operators/tool-calls/redact-tool-events.ts'
import { createSecrets } from '../../../lib/policy/secrets/create-secrets.ts'
import type { AgentEvent, EventNamed } from '../../../lib/streams/events/event.ts'
import type { Secrets } from '../../../lib/streams/ports/secrets.ts'
import { createStopSwitch } from '../../../lib/streams/rx/stop-switch.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { ports, progress, ready } from './execute-call-scene.ts'

const { secrets } = createSecrets({ env: { APP_TOKEN: 'tr0ub4dor&3', HARMLESS: 'quiet-value-1' }, keyVariables: [] })
if (secrets === undefined) throw new Error('redaction is on by default')
const known: Secrets = secrets

const update = (content: string, offset = 0): EventNamed<'tool_execution_update'> => ({
  type: 'tool_execution_update',
  toolCallId: 'c',
  updateType: 'stdout',
  content,
  offset,
})
const end = (text: string, details?: unknown): EventNamed<'tool_execution_end'> => ({
  type: 'tool_execution_end',
  toolCallId: 'c',
  toolName: 'slow',
  isError: false,
  content: [{ type: 'text', text }],
  ...(details === undefined ? {} : { details }),
  durationMs: 0,
})

function redacted(...events: readonly AgentEvent[]): readonly AgentEvent[] {
  let all: readonly AgentEvent[] = []
  of(...events)
    .pipe(redactToolEvents(known.begin()), toArray())
    .subscribe((values) => (all = values))
  return all
}

describe('redactToolEvents', () => {
  it('hides a secret that is split across pieces, and counts offsets after it [S18b]', () => {
    expect(redacted(update('a tr0ub'), update('4dor', 7), update('&3 z', 11), update('zz', 15), end('done'))).toEqual([
      update('a '),
      update('[redacted:APP_TOKEN] z', 2),
      update('zz', 24),
      end('done'),
    ])
  })
  it('emits what it held back before the end of the call', () => {
    expect(redacted(update('a tr0ub'), end('x'))).toEqual([update('a '), update('tr0ub', 2), end('x')])
  })
  it('keeps a gap, and does not join the text around it', () => {
    expect(redacted(update('tr0ub'), update('4dor&3', 50))).toEqual([update('tr0ub'), update('4dor&3', 50)])
  })
  it('keeps streams apart', () => {
    const errors = { ...update('4dor&3'), updateType: 'stderr' } as const
    expect(redacted(update('tr0ub'), errors, end(''))).toEqual([errors, update('tr0ub'), end('')])
  })
  it.each([
    ['the text of a result', end('a tr0ub4dor&3'), 'a [redacted:APP_TOKEN]\n[1 secret was redacted.]', 1],
    [
      'several secrets',
      end('tr0ub4dor&3\ntr0ub4dor&3\n'),
      '[redacted:APP_TOKEN]\n[redacted:APP_TOKEN]\n[2 secrets were redacted.]',
      2,
    ],
  ])('hides a secret in %s, and counts it [S18b]', (_name, event, text) => {
    expect(redacted(event)).toEqual([end(text)])
  })
  it('hides secrets in details at any depth, in keys too, and counts them there alone [S18b]', () => {
    const details = { diff: ['+ tr0ub4dor&3'], 'tr0ub4dor&3': { n: 1, none: null } }
    expect(redacted(end('x', details))).toEqual([
      end('x', {
        diff: ['+ [redacted:APP_TOKEN]'],
        '[redacted:APP_TOKEN]': { n: 1, none: null },
        redactedSecrets: 2,
      }),
    ])
  })
  it('hides a secret in details that are a text, and goes on behind a piece that comes again [S18b]', () => {
    expect(redacted(end('x', 'tr0ub4dor&3'))).toEqual([end('x', '[redacted:APP_TOKEN]')])
    const repeated = [update('one.'), update('.', 3), update('!', 4)]
    expect(redacted(...repeated)).toEqual([update('one.'), update('.', 4), update('!', 5)])
  })
  it.each([[[]], [[{ type: 'text', text: '' }]]] as const)(
    'counts in a result of %j, without an empty line',
    (content) => {
      const redaction = known.begin()
      redaction.text('tr0ub4dor&3')
      const results: AgentEvent[] = []
      of({ ...end(''), content }).pipe(redactToolEvents(redaction)).subscribe((event) => results.push(event)) // prettier-ignore
      expect(results).toMatchObject([{ content: [{ type: 'text', text: '[1 secret was redacted.]' }] }])
    },
  )
  it('leaves an event without a secret as it is', () => {
    const event = end('quiet-value-1', { deep: [{ a: 1 }] })
    expect(redacted(event)[0]).toBe(event)
  })
  it('passes other events, empty pieces, and progress whose text it holds back', () => {
    const settled = { type: 'agent_settled' } as const
    const moved = { ...update('tr0ub'), progressPercent: 50 }
    const held = [{ ...moved, content: '' }, moved]
    expect(redacted(settled, update(''), moved, end(''))).toEqual([settled, update(''), ...held, end('')])
  })
  it('counts behind an image, too [S18b]', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const
    const [result] = redacted({ ...end(''), content: [{ type: 'text', text: 'tr0ub4dor&3' }, image] })
    const texts = ['[redacted:APP_TOKEN]', '[1 secret was redacted.]'].map((text) => ({ type: 'text', text }))
    expect(result).toMatchObject({ content: [texts[0], image, texts[1]] })
  })
  it('leaves images alone', () => {
    const image = { type: 'image', data: 'tr0ub4dor&3', mimeType: 'image/png' } as const
    expect(redacted({ ...end(''), content: [image] })).toEqual([{ ...end(''), content: [image] }])
  })
  it('ends, fails and is unsubscribed with its source', () =>
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const broken = new Error('broken')
      const values = { u: update('zz'), e: end('b') }
      const redact = () => redactToolEvents(known.begin())
      expectObservable(cold('-u-e-|', values).pipe(redact())).toBe('-u-e-|', values)
      expectObservable(cold<AgentEvent>('|').pipe(redact())).toBe('|')
      expectObservable(NEVER.pipe(redact())).toBe('-')
      expectObservable(
        concat(
          of(values.u),
          throwError(() => broken),
        ).pipe(redact()),
      ).toBe('(u#)', values, broken)
      const source$ = cold<AgentEvent>('-u-e-|', values)
      expectObservable(source$.pipe(redact()), '--!').toBe('-u-', values)
      expectSubscriptions(source$.subscriptions).toBe('^-!')
    }))
})

describe('executeCall', () => {
  const resultTexts = (call: ReturnType<typeof ready>, hooks = {}): readonly string[] => {
    const texts: string[] = []
    executeCall(call, { ...ports(hooks), secrets: known }, createStopSwitch()).subscribe((event) =>
      texts.push(JSON.stringify(event)),
    )
    return texts
  }
  it('hides secrets of a tool, of its failure and of a hook [S18b]', () => {
    const secret = 'tr0ub4dor&3'
    const calls = [
      resultTexts(ready(of(progress(`p ${secret}`), textResult(secret, { details: { secret } })))),
      resultTexts(ready(throwError(() => new Error(`cannot log in with ${secret}`)))),
      resultTexts(ready(of(textResult('x'))), { afterToolCall: () => of(textResult(`hook ${secret}`)) }),
    ]
    for (const texts of calls) {
      expect(texts.join('\n')).not.toContain(secret)
      expect(texts.join('\n')).toContain('[redacted:APP_TOKEN]')
    }
  })
  it('counts the secrets that a tool hid by itself', () => {
    const call = ready(({ context: { redaction } }) => {
      const stream = redaction?.stream()
      return of(textResult(`${stream?.push('a tr0ub4')}${stream?.push('dor&3')}${stream?.end()}`))
    })
    expect(resultTexts(call).at(-1)).toContain(String.raw`a [redacted:APP_TOKEN]\n[1 secret was redacted.]`)
  })
})
