// The plan, the found tools and the questions of newer kinds in a session's state.
import { describe, expect, it } from 'vitest'
import type { AgentEvent, EventNamed } from '../../../lib/streams/events/event.ts'
import { emptySession, foldSession } from '../../../lib/streams/state/fold-session.ts'

const fold = (events: readonly AgentEvent[]) =>
  events.reduce((state, event, index) => foldSession(state, { event, seq: index + 1 }), emptySession())

const question = (id: string): EventNamed<'question'> => ({
  type: 'question',
  requestId: id.repeat(26),
  kind: 'approval',
  source: 'core',
  text: 'May it?',
})

describe('the plan of a session', () => {
  it('is empty at first and then the last that was written [EVENT-plan_update]', () => {
    const items = [{ id: '1', text: 'read', state: 'done' }]
    expect(fold([]).plan).toEqual([])
    expect(
      fold([
        { type: 'plan_update', items: [] },
        { type: 'plan_update', items },
      ]).plan,
    ).toEqual(items)
  })
})

describe('the tools that searches found', () => {
  it('are the last 200, each once [EVENT-tool_set]', () => {
    const found = (added: string[]): AgentEvent => ({ type: 'tool_set_change', added, removed: [], source: 'search_tools' }) // prettier-ignore
    const names = Array.from({ length: 250 }, (_, index) => `tool_${index}`)
    expect(fold([]).foundTools).toBeUndefined()
    const { foundTools } = fold([found(names), found(['tool_249', 'late'])])
    expect([foundTools?.length, foundTools?.[0], foundTools?.slice(-2)]).toEqual([200, 'tool_51', ['tool_249', 'late']])
  })
})

describe('the open questions of newer kinds', () => {
  it('are open from `question` to `question_resolved`, in order [EVENT-question]', () => {
    const resolved: AgentEvent = {
      type: 'question_resolved',
      requestId: 'a'.repeat(26),
      outcome: { choice: 'once' },
      by: 'client',
    }
    const requests = [question('a'), question('b')]
    expect(fold(requests).questions).toEqual(requests)
    expect(fold([...requests, resolved]).questions).toEqual([question('b')])
    expect(fold([...requests, resolved, resolved]).questions).toEqual([question('b')])
  })
})

describe('a job that was lost', () => {
  it('is no longer running [EVENT-job_lost]', () => {
    const start: AgentEvent = { type: 'job_start', jobId: 'abcdefg2', command: 'serve' }
    const update: AgentEvent = { type: 'job_update', jobId: 'abcdefg2', content: 'x', offset: 0 }
    const state = fold([start, update, { type: 'job_lost', jobId: 'abcdefg2' }])
    expect([state.jobs, state.jobOutput.size, state.deferred]).toEqual([[], 0, []])
  })
})
