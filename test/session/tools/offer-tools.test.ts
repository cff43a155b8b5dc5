// Tests tools that are offered to a session: registered, switched, replaced and withdrawn.
import { describe, expect, it } from 'vitest'
import { openSession } from '../../../lib/session/create/open-session.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { faultyLog } from '../../support/faulty-log.ts'

const own = fakeTool('own', '')

function opened(log = faultyLog().log): { session: Session; changes: (readonly string[])[]; active(): string[] } {
  const session = openSession({
    log,
    settings: () => ({ model: scriptedModel, provider: scripted([]), system: '', thinkingLevel: 'off', tools: [own] }),
    registry: [own, fakeTool('other', '')],
    tools: { cwd: '/', env: {} },
    options: {},
  })
  const changes: (readonly string[])[] = []
  session.events$.subscribe((event: AgentEvent) => {
    if (event.type === 'active_tools_change') changes.push(event.to)
  })
  return { session, changes, active: () => session.activeTools.map(({ name }) => name) }
}

describe('offered tools', () => {
  it('are registered and active until they are withdrawn, and each change is an event', () => {
    const { session, changes, active } = opened()
    const offer = session.offer([fakeTool('a', ''), fakeTool('b', '')])
    expect(active()).toEqual(['own', 'a', 'b'])
    offer.withdraw()
    offer.withdraw()
    expect(active()).toEqual(['own'])
    expect(changes).toEqual([['own', 'a', 'b'], ['own']])
    let failure: unknown
    session.send({ type: 'set_active_tools', tools: ['a'] }).subscribe({ error: (error: unknown) => (failure = error) })
    expect(failure).toMatchObject({ code: 'bad_request' })
  })

  it('can be deactivated and activated like any other', () => {
    const { session, active } = opened()
    const offer = session.offer([fakeTool('a', '')])
    void session.send({ type: 'set_active_tools', tools: ['other'] })
    expect(active()).toEqual(['other'])
    void session.send({ type: 'set_active_tools', tools: ['a', 'own'] })
    offer.withdraw()
    expect(active()).toEqual(['own'])
  })

  it('replace no tool of the same name [S10a]', () => {
    const { session, active } = opened()
    session.offer([fakeTool('a', '')])
    for (const name of ['own', 'other', 'a']) expect(() => session.offer([fakeTool(name, '')])).toThrow(Failure)
    expect(() => session.offer([fakeTool('b', ''), fakeTool('b', '')])).toThrow(/already/)
    expect(active()).toEqual(['own', 'a'])
  })

  it('replace an earlier offer, whose withdraw then does nothing', () => {
    const { session, changes, active } = opened()
    const first = session.offer([fakeTool('a', ''), fakeTool('b', '')])
    void session.send({ type: 'set_active_tools', tools: ['a', 'own'] })
    const again = fakeTool('a', '', { description: 'again' })
    const second = session.offer([again, fakeTool('b', ''), fakeTool('c', '')], first)
    first.withdraw()
    // `b` was switched off and stays off
    expect(active()).toEqual(['a', 'own', 'c'])
    expect(session.activeTools[0]?.description).toBe('again')
    second.withdraw()
    expect(changes.at(-1)).toEqual(['own'])
  })

  it('cause no event if the active names stay the same', () => {
    const { session, changes } = opened()
    const first = session.offer([fakeTool('a', '')])
    session.offer([fakeTool('a', '')], first)
    expect(changes).toEqual([['own', 'a']])
  })

  it('are refused if the log is read-only', () => {
    const readOnly = new Failure('read_only', 'damaged')
    const { log } = faultyLog()
    const { session } = opened(Object.create(log, { readOnly: { value: readOnly } }) as typeof log)
    expect(() => session.offer([fakeTool('a', '')])).toThrow(readOnly)
  })
})
