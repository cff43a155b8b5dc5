// Tests a session that plays its runs by a function of the program.
import { concat, defer, mergeMap, of, timer } from 'rxjs'
import { expect, it } from 'vitest'
import { run } from '../../../lib/operators/run/run.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import type { SessionParts } from '../../../lib/session/contract/session-parts.ts'
import { openSession } from '../../../lib/session/create/open-session.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import { timeline } from '../../../lib/testing/timeline.ts'
import { faultyLog } from '../../support/faulty-log.ts'
import { shortName } from '../../../lib/testing/short-name.ts'

function opened(play: NonNullable<SessionParts['run']>) {
  const settings = {
    model: scriptedModel,
    provider: scripted(() => 'Hi'),
    system: '',
    thinkingLevel: 'off',
    tools: [],
  } as const
  return openSession({
    log: faultyLog().log,
    settings: () => settings,
    tools: { cwd: '/', env: {} },
    options: {},
    run: play,
  })
}

it('plays the runs in place of the loop, and takes the next prompt when they have settled', () => {
  const prompts: unknown[] = []
  const session = opened(({ prompt, onSettled }) =>
    concat<AgentEvent[]>(
      of({ type: 'agent_start', model: 'none/none', tools: [], thinkingLevel: 'off' }),
      timer(5).pipe(
        mergeMap(() => {
          prompts.push(prompt?.content)
          return of({
            type: 'agent_end',
            totalTurns: 0,
            usage: noUsage,
            durationMs: 5,
            terminationReason: 'completed',
          } as const)
        }),
      ),
      defer(() => {
        onSettled()
        return of<AgentEvent>({ type: 'agent_settled' })
      }),
    ),
  )
  const run$ = concat(session.run('one'), session.run('two'))
  expect(timeline(() => run$, { name: shortName })).toBe('0:AS 5:AE,SET,AS 10:AE,SET,|')
  expect(prompts).toEqual(['one', 'two'])
})

it('can play the loop itself with other ports', () => {
  const session = opened((options) => run({ ...options, ports: { ...options.ports, stopWhen: [] } }))
  expect(timeline(() => session.run('one'), { name: shortName })).toMatch(/^0:AS,TS,.*AE,SET,\|$/)
})
