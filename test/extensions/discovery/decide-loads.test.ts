// Tests what is loaded, asked about and refused, and that an answer is stored before a load.
import { lastValueFrom, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { answeredState, decideLoad, decideLoads } from '../../../lib/extensions/discovery/decide-loads.ts'
import type { Loads } from '../../../lib/extensions/discovery/decide-loads.ts'
import type { ExtensionSource } from '../../../lib/extensions/discovery/extension-source.ts'
import type { ExtensionTrust } from '../../../lib/extensions/trust/extension-trust.ts'
import type { Answer, Ask, Question } from '../../../lib/streams/ports/ask.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'

const source: ExtensionSource = { id: 'user:/x', name: 'checksum', origin: 'user', root: '/x', entry: '/x/index.ts', digest: 'd'.repeat(64), state: 'pending', isDev: false, isPi: false, mayReplace: [] } // prettier-ignore
const questionOf = (): Question => {
  const decision = decideLoad(source, true)
  if (decision.action !== 'ask') throw new Error('it does not ask')
  return decision.question
}

describe('the decision about one extension', () => {
  it.each([
    ['trusted', { action: 'load', isMonitored: false }],
    ['acknowledged', { action: 'load', isMonitored: true }],
    ['killed', { action: 'refuse' }],
  ] as const)('of the state %s is the same whether a client can answer or not', (state, expected) => {
    for (const canAsk of [true, false]) expect(decideLoad({ ...source, state }, canAsk)).toEqual(expected)
  })

  it('asks about a pending one, with its content, the harmless answer first', () => {
    const { text, options, kind } = questionOf()
    expect([kind, text]).toEqual(['select', expect.stringContaining(source.digest)])
    expect(options?.map(answeredState)).toEqual(['pending', 'trusted', 'acknowledged', 'killed'])
    for (const other of [null, true, 'toString', 'Trust']) expect(answeredState(other)).toBe('pending')
  })

  it('refuses it where nobody can answer, and says what to do', () => {
    expect(decideLoad(source, false)).toEqual({
      action: 'refuse',
      notice: { code: 'extension_untrusted', message: expect.stringContaining('rxpi extensions trust checksum') as string }, // prettier-ignore
    })
  })
})

const nothing: Loads = { sources: [], notices: [] }

function scene(outcome: unknown, { by = 'client', set }: { by?: Answer['by']; set?: ExtensionTrust['set'] } = {}) {
  const log: object[] = []
  const trust: Pick<ExtensionTrust, 'set' | 'audit'> = {
    set: set ?? ((change) => (log.push({ set: change }), of(change.next))),
    audit: (entry) => log.push({ audit: entry }),
  }
  const ask$: Ask = (question) => (log.push({ ask: question.text }), of({ outcome, by } as Answer))
  const decide = (sources: readonly ExtensionSource[], canAsk = true) =>
    lastValueFrom(
      decideLoads(sources, { trust: trust as ExtensionTrust, ask: canAsk ? ask$ : undefined, sessionId: 's' }),
      { defaultValue: nothing },
    )
  return { log, decide }
}

describe('the loads of a session', () => {
  it('are what is trusted, and what a person answers, which is stored and audited first', async () => {
    const option = questionOf().options?.find((each) => answeredState(each) === 'acknowledged')
    const { log, decide } = scene(option)
    const trusted = { ...source, id: 'user:/y', state: 'trusted' as const }
    expect(await decide([trusted, source])).toEqual({
      sources: [{ ...trusted, isMonitored: false }, { ...source, state: 'acknowledged', isMonitored: true }], // prettier-ignore
      notices: [],
    })
    expect(log).toMatchObject([
      { ask: expect.any(String) as string },
      { set: { id: source.id, digest: source.digest, next: 'acknowledged', operator: 'client' } },
      { audit: { id: source.id, capability: 'load', session: 's' } },
    ])
  })

  it('leave out what is killed or put off, without a line about what a person answered', async () => {
    const killed = questionOf().options?.find((each) => answeredState(each) === 'killed')
    const first = scene(killed)
    expect(await first.decide([source, { ...source, state: 'killed' }])).toEqual({ sources: [], notices: [] })
    expect(first.log).toMatchObject([{}, { set: { next: 'killed' } }])
    expect(await scene('Not now').decide([source])).toEqual({ sources: [], notices: [] })
  })

  it('say what to do if nobody answered', async () => {
    const notices = [{ code: 'extension_untrusted', message: expect.stringContaining('rxpi extensions trust') as string }] // prettier-ignore
    expect(await scene(null, { by: 'default' as Answer['by'] }).decide([source])).toEqual({ sources: [], notices })
    const { log, decide } = scene(null)
    expect(await decide([source], false)).toEqual({ sources: [], notices })
    expect(log).toEqual([])
  })

  it('leave out an extension whose decision cannot be stored, and load the others', async () => {
    const option = questionOf().options?.find((each) => answeredState(each) === 'trusted')
    const { decide } = scene(option, { set: () => throwError(() => new Failure('storage', 'the disk is full')) })
    const trusted = { ...source, id: 'user:/y', state: 'trusted' as const }
    expect(await decide([source, trusted])).toEqual({
      sources: [{ ...trusted, isMonitored: false }],
      notices: [{ code: 'extension_untrusted', message: expect.stringContaining('the disk is full') as string }],
    })
  })
})
