// Tests the choice of a request's model among the model and its fallbacks.
import { EMPTY, mergeMap, tap, timer } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import { describe, expect, it } from 'vitest'
import { createModelChoice } from '../../../lib/operators/request/model-choice.ts'
import type { ModelChoice } from '../../../lib/operators/request/model-choice.ts'
import type { RequestSettings } from '../../../lib/operators/ports/run-ports.ts'
import type { ProviderModel } from '../../../lib/streams/ports/provider.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'

const modelNamed = (id: string): ProviderModel => ({ model: { ...scriptedModel, id }, provider: scripted([]) })

function settings(id: string, ...fallbacks: string[]): RequestSettings {
  return { ...modelNamed(id), fallbacks: fallbacks.map(modelNamed), system: 's', thinkingLevel: 'low', tools: [] }
}

const ids = (choice: ModelChoice, of: RequestSettings): string =>
  choice
    .candidates(of)
    .map(({ model }) => model.id)
    .join(' ')

/** Reports to `choice` that the candidate `id` has answered. */
function answer(choice: ModelChoice, of: RequestSettings, id: string): void {
  const found = choice.candidates(of).find(({ model }) => model.id === id)
  if (found === undefined) throw new Error(`${id} is no candidate`)
  choice.setAnswering(found)
}

describe('createModelChoice', () => {
  it('starts with the model, then its fallbacks in order, each with the other settings', () => {
    const candidates = createModelChoice().candidates(settings('a', 'b', 'c'))
    expect(candidates.map(({ model }) => model.id)).toEqual(['a', 'b', 'c'])
    expect(candidates[2]).toMatchObject({ system: 's', thinkingLevel: 'low', tools: [] })
  })

  it('returns the model alone if there are no fallbacks', () => {
    expect(ids(createModelChoice(), settings('a'))).toBe('a')
  })

  it('returns the fallback that has answered first, then those behind it', () => {
    const choice = createModelChoice()
    answer(choice, settings('a', 'b', 'c'), 'b')
    expect(ids(choice, settings('a', 'b', 'c'))).toBe('b c')
    answer(choice, settings('a', 'b', 'c'), 'c')
    expect(ids(choice, settings('a', 'b', 'c'))).toBe('c')
  })

  it('returns the model first if that has answered', () => {
    const choice = createModelChoice()
    answer(choice, settings('a', 'b'), 'a')
    expect(ids(choice, settings('a', 'b'))).toBe('a b')
  })

  it('tells the model from a fallback that is the same model at another endpoint', () => {
    const choice = createModelChoice()
    const of = settings('a', 'a')
    const [own, elsewhere] = choice.candidates(of)
    choice.setAnswering(own)
    expect(choice.candidates(of).map(({ provider }) => provider)).toEqual([own.provider, elsewhere?.provider])
    if (elsewhere !== undefined) choice.setAnswering(elsewhere)
    expect(choice.candidates(of).map(({ provider }) => provider)).toEqual([elsewhere?.provider])
  })

  it('starts again with another model, and with the first one when that is chosen again', () => {
    const choice = createModelChoice()
    answer(choice, settings('a', 'b', 'c'), 'c')
    expect(ids(choice, settings('d', 'b', 'c'))).toBe('d b c')
    expect(ids(choice, settings('a', 'b', 'c'))).toBe('a b c')
  })

  it('starts again if the fallback that answered is no longer one', () => {
    const choice = createModelChoice()
    answer(choice, settings('a', 'b', 'c'), 'c')
    expect(ids(choice, settings('a', 'b'))).toBe('a b')
  })

  it('returns to the model when its cooldown is over, and says so once [LOOP-28m]', () => {
    const busy = (retryAfterMs?: number): Failure =>
      new Failure('provider_error', 'busy', { data: { kind: 'rate_limit', ...(retryAfterMs && { retryAfterMs }) } })
    const refused = new Failure('provider_error', 'no', { data: { kind: 'auth' } })
    const of = settings('a', 'b', 'c')
    const firstAt = (failure: Failure, ms: number): string => {
      const scheduler = new TestScheduler(() => undefined)
      let found = ''
      scheduler.run(() => {
        const choice = createModelChoice()
        choice.cool(choice.candidates(of)[0], failure)
        answer(choice, of, 'b')
        const announced$ = timer(ms).pipe(
          tap(() => (found = ids(choice, of))),
          mergeMap(() => choice.announce(EMPTY)),
        )
        announced$.subscribe(({ from, to, kind }) => {
          found += ` ${kind} ${String(from)} > ${String(to)}`
        })
      })
      return found
    }
    const back = 'a b c cooldown_over scripted/b > scripted/a'
    expect(firstAt(busy(20_000), 19_999)).toBe('b c')
    expect(firstAt(busy(20_000), 20_000)).toBe(back)
    expect(firstAt(busy(), 299_999)).toBe('b c')
    expect(firstAt(busy(), 300_000)).toBe(back)
    expect(firstAt(refused, 86_400_000)).toBe('b c')
  })
})
