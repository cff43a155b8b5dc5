// Tests todo and ask: their results, their details, and what they ask of the session.
import { Observable, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { tools } from '../../../lib/tools/index.ts'
import type { Answer, Question } from '../../../lib/streams/ports/ask.ts'
import type { PlanItem } from '../../../lib/streams/events/feature-event-fields.ts'
import { resultOf, testContext, textOf, toolContract } from '../../contract/tool-contract.ts'

const { ask, todo } = tools

toolContract('todo', () => ({
  tool: todo,
  succeeding: () => ({ items: [{ text: 'a', state: 'pending' }] }),
  failing: () => ({ items: [{ id: 'a', text: 'a', state: 'done' }, { id: 'a', text: 'b', state: 'done' }] }), // prettier-ignore
  invalid: [{}, { items: [{ text: 'a', state: 'later' }] }],
}))

describe('todo', () => {
  it('replaces the plan and numbers items without an id [TOOLS-talk-todo]', async () => {
    const plans: (readonly PlanItem[])[] = []
    const items = [
      { text: 'look', state: 'done' },
      { id: '1', text: 'build', state: 'in_progress' },
      { text: 'test', state: 'pending' },
      { text: 'paint', state: 'dropped' },
    ]
    const result = await resultOf(todo, { items }, testContext('/', { plan: (plan) => plans.push(plan) }))
    expect(textOf(result)).toBe('[x] 2. look\n[>] 1. build\n[ ] 3. test\n[-] 4. paint')
    expect(plans).toEqual([(result.details as { items: PlanItem[] }).items])
    expect(plans[0]?.map(({ id }) => id)).toEqual(['2', '1', '3', '4'])
  })

  it('refuses a plan of over 200 items, and one with an id twice, and changes nothing', async () => {
    const plan = () => expect.unreachable()
    const long = Array.from({ length: 201 }, () => ({ text: 'a', state: 'pending' }))
    for (const items of [
      long,
      [
        { id: 'a', text: '', state: 'done' },
        { id: 'a', text: '', state: 'done' },
      ],
    ]) {
      expect((await resultOf(todo, { items }, testContext('/', { plan }))).isError).toBe(true)
    }
  })
})

describe('ask', () => {
  const answered = async (args: object, answer: Answer) => {
    const questions: Question[] = []
    const context = testContext('/', { ask: (question) => (questions.push(question), of(answer)) })
    return { text: textOf(await resultOf(ask, args, context)), questions }
  }

  it('asks with options or for a text, and returns the answer [TOOLS-talk-ask]', async () => {
    const chosen = await answered({ question: 'Which?', options: ['a', 'b'] }, { outcome: 'b', by: 'client' })
    expect(chosen.questions).toEqual([{ kind: 'select', text: 'Which?', options: ['a', 'b'] }])
    expect(chosen.text).toBe('The person answered: b')
    const typed = await answered({ question: 'Why?' }, { outcome: 'so', by: 'client' })
    expect(typed.questions).toEqual([{ kind: 'input', text: 'Why?' }])
    expect(typed.text).toBe('The person answered: so')
  })

  it('says that nobody can answer, or that the person did not choose [TOOLS-talk-ask]', async () => {
    expect((await answered({ question: 'a' }, { outcome: null, by: 'default' })).text).toMatch(
      /^No person can answer now\./,
    )
    expect((await answered({ question: 'a' }, { outcome: null, text: 'later', by: 'client' })).text).toMatch(
      /^The person did not choose an answer\. They said: later/,
    )
  })

  it('takes the question back when it is unsubscribed', () => {
    let open = 0
    const ask$ = new Observable<Answer>(() => {
      open += 1
      return () => (open -= 1)
    })
    const running$ = ask.execute({ question: 'a' }, testContext('/', { ask: () => ask$ })) as Observable<unknown>
    const subscription = running$.subscribe()
    expect(open).toBe(1)
    subscription.unsubscribe()
    expect(open).toBe(0)
  })
})
