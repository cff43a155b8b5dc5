// Tests that an error while the context is made ends the run, not the session (docs/loop.md#ends).
import { EMPTY, NEVER, concat, map, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { virtualRun } from '../../../lib/testing/virtual-run.ts'
import { endOf, lastAnswer, tool, calling } from './ends-scene.ts'

describe('a throw in the context', () => {
  it.each<[string, object]>([
    ['transformContext throws as it is applied', { transformContext: throwBroken }],
    ['transformContext fails', { transformContext: () => throwError(() => new Error('broken')) }],
    ['transformContext throws within', { transformContext: map(throwBroken) }],
    ['convertToLlm throws', { convertToLlm: throwBroken }],
  ])('ends the turn as a provider’s failure does: %s [LOOP-31a]', (_, ports) => {
    const played = virtualRun({ script: ['never'], ports })
    expect(played.notation()).toBe('AS TS ms(user) me(user) ms(asst) me(asst) TE AE SET')
    expect(endOf(played)).toMatchObject({ terminationReason: 'error', error: { message: 'broken' } })
    expect([lastAnswer(played)?.errorMessage, played.requests.length]).toEqual(['broken', 0])
  })

  it('ends the turn if the transform completes without a context [LOOP-31a]', () => {
    const played = virtualRun({ script: ['never'], ports: { transformContext: () => EMPTY } })
    expect(endOf(played)).toMatchObject({ terminationReason: 'error' })
    expect(lastAnswer(played)?.errorMessage).toMatch(/transformContext completed without a context/)
  })

  it('does not delay an abort if a transform never emits', () => {
    const played = virtualRun({
      script: ['never'],
      ports: { transformContext: () => NEVER },
      at: { 5: (control) => control.stop() },
    })
    expect(played.timeline()).toBe('0:AS,TS,ms(user),me(user) 5:TE,AE,SET')
  })

  it('ends the run if its settings cannot be read', () => {
    let calls = 0
    const played = virtualRun({
      script: ['never'],
      ports: {
        settings: () => {
          calls += 1
          throw new Error('no settings')
        },
      },
    })
    expect(calls).toBeGreaterThan(0)
    expect(played.end).toBe('complete')
    expect(endOf(played)).toMatchObject({ terminationReason: 'error', error: { message: 'no settings' } })
  })

  it('ends the run without a message if its settings can no longer be read', () => {
    let calls = 0
    const provider = scripted([calling, 'never'])
    const settings = () => {
      calls += 1
      if (calls > 2) throw new Error('no settings')
      return { model: scriptedModel, provider, system: '', thinkingLevel: 'off' as const, tools: [tool('a')] }
    }
    const played = virtualRun({ script: [], ports: { settings, activeTools: () => [tool('a')] } })
    expect(played.notation()).toBe(
      'AS TS ms(user) me(user) ms(asst) mu me(asst) xs xe ms(result) me(result) TE TS TE AE SET',
    )
    expect(endOf(played)).toMatchObject({ terminationReason: 'error', error: { message: 'no settings' } })
    expect(provider.requests).toHaveLength(1)
  })

  it('uses the last of several contexts', () => {
    const played = virtualRun({
      script: ['x'],
      ports: {
        transformContext: (context$) =>
          context$.pipe((source$) =>
            concat(source$, source$.pipe(map((context) => ({ ...context, system: 'the last' })))),
          ),
      },
    })
    expect(played.requests.map(({ system }) => system)).toEqual(['the last'])
  })
})

function throwBroken(): never {
  throw new Error('broken')
}
