// Tests steps between phases that were due when the process ended.
import { describe, expect, it } from 'vitest'
import { lineBody } from '../../../lib/streams/log/line-event.ts'
import type { ScenarioPhase } from '../../../lib/streams/ports/scenarios.ts'
import { faultyLog } from '../../support/faulty-log.ts'
import type { FaultyLog } from '../../support/faulty-log.ts'
import { answer, eventsNamed, showing } from '../questions/policy-scene.ts'
import type { PlayedSession, SessionScene } from '../../support/virtual-session.ts'
import { declared, phaseNotesOf, playScenario, scenario } from './scenario-scene.ts'

const prompt: NonNullable<SessionScene['at']>[number] = ({ send }) => send({ type: 'prompt', text: 'Plan it' })

/** The lines up to the first event of this type (`scenario_change:PHASE` of this phase): those that a kill leaves. */
function cutLog({ session }: PlayedSession, until: string): FaultyLog {
  const [type, phase] = until.split(':')
  const cut = faultyLog()
  for (const { event, seq = 0, at, runId } of session.logged()) {
    cut.log.append(lineBody({ seq, at, runId, event }, undefined))
    if (event.type === type && (phase === undefined || (event.type === 'scenario_change' && event.to === phase))) break
  }
  return cut
}

describe('a step that was due when the process ended', () => {
  const step = (to: Partial<ScenarioPhase> = { readOnly: true }) =>
    scenario('work', [
      { name: 'one', transitions: [{ to: 'two', on: 'tool', tool: 'check', result: 'error' }] },
      { name: 'two', transitions: [{ to: 'three', on: 'tool', tool: 'check', result: 'error' }], ...to },
      { name: 'three', readOnly: true },
    ])
  const enter = { 1: ({ send }) => send({ type: 'set_scenario_phase', scenario: 'work' }), 2: prompt } satisfies NonNullable<SessionScene['at']> // prettier-ignore
  const script = [{ toolCalls: [{ name: 'check', arguments: { result: 'FAIL' } }] }, 'never']
  const killed = (work: ReturnType<typeof step>, at: SessionScene['at'] = {}, until: string = 'turn_end') => {
    const whole = playScenario({ script, options: { scenarios: declared(work) }, at: { ...enter, ...at } })
    return cutLog(whole, until)
  }
  const reopen = (log: FaultyLog, work = step(), at: SessionScene['at'] = {}) =>
    playScenario({
      script: ['done', 'done'],
      log,
      options: { scenarios: { ...declared(work), logged: work } },
      at: { 2: prompt, ...at },
    })

  it.each(['tool_execution_end', 'turn_end'])('is taken before the next request, after %s [SCENARIO-tool]', (until) => {
    const run = reopen(killed(step(), {}, until))
    expect(eventsNamed(run, 'scenario_change')).toMatchObject([{ from: 'one', to: 'two', by: 'tool' }])
    expect(phaseNotesOf(run).at(-1)).toContain('phase "two"')
  })

  it('is taken once: the result does not count for the next phase', () => {
    expect(eventsNamed(reopen(killed(step(), {}, 'scenario_change:two')), 'scenario_change')).toEqual([])
  })

  it('waits for a person again if it adds power [S1c]', () => {
    const work = scenario('work', [
      { name: 'one', readOnly: true, transitions: [{ to: 'two', on: 'tool', tool: 'check', result: 'error' }] },
      { name: 'two' },
    ])
    const log = killed(work, { 0: showing }, 'question')
    const run = reopen(log, work, { 0: showing, 5: (control) => answer(control, { choice: 'enter' }) })
    expect(eventsNamed(run, 'scenario_change')).toMatchObject([{ from: 'one', to: 'two', by: 'client' }])
  })

  it('is not asked again after a refusal, nor after another answer of the model [S1c]', () => {
    const work = step({ model: 'other/model' })
    for (const until of ['warning', 'agent_settled']) {
      const run = reopen(killed(work, {}, until), work)
      expect([eventsNamed(run, 'scenario_change'), eventsNamed(run, 'warning')]).toEqual([[], []])
    }
  })
})
