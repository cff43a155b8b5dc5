// Tests the model of a session whose phases have models: which one holds, and when the session's own comes back.
import { of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { modelName } from '../../../lib/streams/models/model.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { PlayedSession, SessionScene } from '../../support/virtual-session.ts'
import { answer, eventsNamed, showing } from '../questions/policy-scene.ts'
import { declared, playScenario, scenario } from './scenario-scene.ts'

const work = scenario('work', [
  { name: 'plain' },
  { name: 'fast', model: 'scripted/fast' },
  { name: 'slow', model: 'scripted/slow' },
  { name: 'like-own', model: 'scripted/scripted' },
])
const own = modelName(scriptedModel)
const find$: NonNullable<SessionScene['resolveModel']> = (name) =>
  of({ model: { ...scriptedModel, id: name.replace('scripted/', '') }, provider: scripted(['done', 'done', 'done']) })
const enter = (scenarioName: string | null, phase?: string) =>
  ({ type: 'set_scenario_phase', scenario: scenarioName, ...(phase === undefined ? {} : { phase }) }) as const

/** Enters the phases one after another; `null` leaves, `model:NAME` is chosen by the person. */
const play = (steps: readonly (string | null)[], more: Partial<SessionScene> = {}): PlayedSession =>
  playScenario({
    script: [],
    resolveModel: find$,
    options: { scenarios: { ...declared(work), logged: work } },
    at: Object.fromEntries(
      steps.map((step, index) => [
        index + 1,
        ({ send }) =>
          step?.startsWith('model:') === true
            ? send({ type: 'set_model', model: step.slice('model:'.length) })
            : send(step === null ? enter(null) : enter('work', step)),
      ]),
    ),
    ...more,
  })

describe('the model of a phase', () => {
  it.each<readonly [readonly (string | null)[], string]>([
    [['fast'], 'scripted/fast'],
    [['fast', 'plain'], own],
    [['fast', 'slow'], 'scripted/slow'],
    [['fast', 'slow', 'plain'], own],
    [['fast', null], own],
    [['fast', 'like-own', 'plain'], own],
    [['plain', null], own],
    [['fast', 'model:scripted/mine', 'plain'], 'scripted/mine'],
    [['fast', 'model:scripted/mine', 'slow', null], 'scripted/mine'],
    [['model:scripted/mine', 'fast', 'plain'], 'scripted/mine'],
  ])('after %j is %s [SCENARIO-model]', (steps, expected) => {
    const run = play(steps)
    expect(modelName(run.session.model)).toBe(expected)
    expect(run.session.state$.value.model ?? own).toBe(expected)
    const reopened = play([], { log: run, model: run.session.model })
    expect(modelName(reopened.session.model)).toBe(expected)
  })

  it.each<readonly [readonly (string | null)[], string | null, string]>([
    [['fast'], 'plain', own],
    [['fast', 'slow'], null, own],
    [['fast', 'model:scripted/mine'], null, 'scripted/mine'],
    [['fast', 'plain'], null, own],
  ])('goes back after %j also when the session was opened again', (steps, then, expected) => {
    const before = play(steps)
    const run = play([then], { log: before, model: before.session.model })
    expect(modelName(run.session.model)).toBe(expected)
  })

  it('stays that of the opening, if a person opened the session with another one', () => {
    const run = play(['plain'], { log: play(['fast']), model: { ...scriptedModel, id: 'chosen' } })
    expect(modelName(run.session.model)).toBe('scripted/chosen')
  })

  it('stays with a warning if the own model is not found any more', () => {
    const before = play(['fast'])
    const run = play([null], {
      log: before,
      model: before.session.model,
      resolveModel: (name) => throwError(() => new Failure('bad_request', `There is no model "${name}"`)),
    })
    expect(run.session.scenario).toBeUndefined()
    expect(modelName(run.session.model)).toBe('scripted/fast')
    expect(eventsNamed(run, 'warning')).toMatchObject([
      { code: 'model_stays', message: `The session keeps the model of the phase: its own, ${own}, is not found: There is no model "${own}"` }, // prettier-ignore
    ])
  })

  it('waits for a person if the result of a tool brings the own model back [S1c]', () => {
    const back = scenario('work', [
      { name: 'fast', model: 'scripted/fast', transitions: [{ to: 'plain', on: 'tool', tool: 'look' }] },
      { name: 'plain' },
    ])
    const provider = () => scripted([{ toolCalls: [{ name: 'look' }] }, 'done'])
    const scene = (at: SessionScene['at']) =>
      playScenario({
        script: ['done'],
        resolveModel: (name) => of({ model: { ...scriptedModel, id: name.replace('scripted/', '') }, provider: provider() }), // prettier-ignore
        options: { scenarios: declared(back) },
        at: { 1: ({ send }) => send(enter('work')), 2: ({ send }) => send({ type: 'prompt', text: 'Hi' }), ...at },
      })
    const alone = scene({})
    expect([alone.session.scenario?.phase, modelName(alone.session.model)]).toEqual(['fast', 'scripted/fast'])
    const attended = scene({ 0: showing, 3: (control) => answer(control, { choice: 'enter' }) })
    expect(eventsNamed(attended, 'question')).toMatchObject([{ reason: expect.stringContaining(`uses the model ${own}`) as string }]) // prettier-ignore
    expect([attended.session.scenario?.phase, modelName(attended.session.model)]).toEqual(['plain', own])
  })
})
