// Situations with hooks before and after a call, and results that end the run.
import type { Difference } from '../difference.ts'
import { breaks, echo, finish } from '../scripted-tools.ts'
import type { Answer, Situation } from '../situation.ts'
import { inSequence } from './in-sequence.ts'

const done: Answer = [{ says: ['Done'] }]

/** pi emits the call, then calls the hook; ours does the reverse. */
function startsAfterPreparation(call: string): Difference[] {
  return [
    { part: 'events', pi: [`xs(${call})`], ours: [], because: 'startAfterPreparation' },
    { part: 'events', pi: [], ours: [`xs(${call})`], because: 'startAfterPreparation' },
  ]
}

const oneBlocked: Situation = {
  name: 'beforeToolCall blocks one call of three',
  tools: [echo],
  before: ({ id }) => (id === 'c2' ? 'not this one' : undefined),
  answers: [['c1', 'c2', 'c3'].map((id) => ({ calls: id, tool: 'echo', args: { text: id } })), done],
  steps: (person) => person.prompt('Three'),
  differs: [
    { part: 'events', pi: ['xs(c1 echo {"text":"c1"})'], ours: [], because: 'startAfterPreparation' },
    {
      part: 'events',
      pi: ['xs(c2 echo {"text":"c2"})'],
      ours: ['xs(c1 echo {"text":"c1"})'],
      because: 'startAfterPreparation',
    },
    { part: 'events', pi: [], ours: ['xs(c2 echo {"text":"c2"})'], because: 'startAfterPreparation' },
    ...startsAfterPreparation('c3 echo {"text":"c3"}'),
  ],
}

const twoTerminate: Situation = {
  name: 'terminate by one call of two',
  tools: [echo, finish],
  answers: [
    [
      { calls: 'c1', tool: 'finish', args: { text: 'bye' } },
      { calls: 'c2', tool: 'echo', args: { text: 'no' } },
    ],
    done,
  ],
  steps: (person) => person.prompt('Finish'),
}

export const hooks: readonly Situation[] = [
  {
    name: 'beforeToolCall blocks the only call',
    tools: [echo],
    before: () => 'not now',
    after: () => ({ text: 'never' }),
    answers: [[{ calls: 'c1', tool: 'echo', args: { text: 'a' } }], done],
    steps: (person) => person.prompt('Look'),
    differs: startsAfterPreparation('c1 echo {"text":"a"}'),
  },
  oneBlocked,
  {
    ...inSequence(oneBlocked),
    differs: ['c1', 'c2', 'c3'].flatMap((id) => startsAfterPreparation(`${id} echo {"text":"${id}"}`)),
  },
  {
    name: 'beforeToolCall throws',
    tools: [echo],
    before: () => {
      throw new Error('the hook broke')
    },
    answers: [[{ calls: 'c1', tool: 'echo', args: { text: 'a' } }], done],
    steps: (person) => person.prompt('Look'),
    differs: startsAfterPreparation('c1 echo {"text":"a"}'),
  },
  {
    name: 'afterToolCall replaces the content',
    tools: [echo],
    after: () => ({ text: 'better' }),
    answers: [[{ calls: 'c1', tool: 'echo', args: { text: 'good' } }], done],
    steps: (person) => person.prompt('Look'),
  },
  {
    name: 'afterToolCall makes an error of a result, and a result of an error',
    tools: [echo, breaks],
    after: ({ name }) => ({ isError: name === 'echo' }),
    answers: [
      [
        { calls: 'c1', tool: 'echo', args: { text: 'fine' } },
        { calls: 'c2', tool: 'breaks', args: { text: 'broken' } },
      ],
      done,
    ],
    steps: (person) => person.prompt('Look'),
  },
  {
    name: 'afterToolCall throws for one call of two',
    tools: [echo],
    after: ({ id }) => {
      if (id === 'c1') throw new Error('the hook broke')
      return undefined
    },
    answers: [['c1', 'c2'].map((id) => ({ calls: id, tool: 'echo', args: { text: id } })), done],
    steps: (person) => person.prompt('Look'),
  },
  {
    name: 'afterToolCall asks for the end',
    tools: [echo],
    after: () => ({ terminate: true }),
    answers: [[{ calls: 'c1', tool: 'echo', args: { text: 'a' } }]],
    steps: (person) => person.prompt('Look'),
  },
  {
    name: 'terminate by all calls',
    tools: [finish],
    answers: [['c1', 'c2'].map((id) => ({ calls: id, tool: 'finish', args: { text: id } }))],
    steps: (person) => person.prompt('Finish'),
  },
  twoTerminate,
  inSequence(twoTerminate),
]
