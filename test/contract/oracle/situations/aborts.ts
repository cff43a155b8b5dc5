// Situations with an abort at every boundary of a run except tools.
import { echo } from '../scripted-tools.ts'
import type { Answer, Person, Situation } from '../situation.ts'
import { piRequestsOnceMore, piRequestsAfterAbort, endsWithoutMessage } from './abort-differences.ts'

const call: Answer = [{ calls: 'c1', tool: 'echo', args: { text: 'a' } }]
const done: Answer = [{ says: ['Done'] }]
const promptGo = (person: Person): Promise<void> => person.prompt('Go')
const abort = (person: Person): void => person.abort()

export const aborts: readonly Situation[] = [
  {
    name: 'abort while idle',
    answers: [done],
    steps: (person) => {
      person.abort()
      return promptGo(person)
    },
  },
  {
    name: 'abort from within agent_start',
    answers: [done],
    on: [{ at: 'AS', act: abort }],
    steps: promptGo,
    differs: piRequestsAfterAbort('user "Go"'),
  },
  {
    name: 'abort from within the prompt’s message',
    answers: [done],
    on: [{ at: 'me(user', act: abort }],
    steps: promptGo,
    differs: piRequestsAfterAbort('user "Go"'),
  },
  {
    name: 'abort before the answer began',
    answers: [[{ waits: true }]],
    steps: async (person) => {
      const over = promptGo(person)
      setImmediate(() => person.abort())
      await over
    },
    differs: endsWithoutMessage,
  },
  {
    name: 'abort after the answer began, before its first delta',
    answers: [[{ begins: true }, { waits: true }]],
    steps: async (person) => {
      const over = promptGo(person)
      setImmediate(() => person.abort())
      await over
    },
    differs: endsWithoutMessage,
  },
  {
    name: 'abort in mid-text',
    answers: [[{ says: ['Hel', 'lo'] }]],
    on: [{ at: 'mu(text_delta 0 "Hel"', act: abort }],
    steps: promptGo,
  },
  {
    name: 'abort in mid-text while the provider waits',
    answers: [[{ says: ['Hel'] }, { waits: true }]],
    on: [{ at: 'mu(text_end', act: (person) => setImmediate(() => person.abort()) }],
    steps: promptGo,
  },
  {
    name: 'abort with a whole call in the answer',
    tools: [echo],
    answers: [[...call, { says: ['and'] }]],
    on: [{ at: 'mu(text_delta', act: abort }],
    steps: promptGo,
    differs: [
      {
        part: 'events',
        pi: ['TE(aborted)'],
        ours: [
          'xs(c1 echo {"text":"a"})',
          'xe(c1 error <aborted>)',
          'ms(result c1)',
          'me(result c1 error <aborted>)',
          'TE(aborted: c1)',
        ],
        because: 'callsOfCutAnswers',
      },
      { part: 'transcript', pi: [], ours: ['result c1 error <aborted>'], because: 'callsOfCutAnswers' },
    ],
  },
  {
    name: 'abort from within the answer’s end',
    tools: [echo],
    answers: [call, done],
    on: [{ at: 'me(asst', act: abort }],
    steps: promptGo,
    differs: piRequestsOnceMore('user "Go" · asst toolUse call(c1 echo {"text":"a"}) · result c1 error <aborted>'),
  },
  {
    name: 'abort between turns',
    tools: [echo],
    answers: [call, done],
    on: [{ at: 'TE', act: abort }],
    steps: promptGo,
    differs: piRequestsOnceMore('user "Go" · asst toolUse call(c1 echo {"text":"a"}) · result c1 ok "a"'),
  },
  {
    name: 'abort from within the next turn’s start',
    tools: [echo],
    answers: [call, done],
    on: [{ at: 'TS', nth: 2, act: abort }],
    steps: promptGo,
    differs: piRequestsAfterAbort('user "Go" · asst toolUse call(c1 echo {"text":"a"}) · result c1 ok "a"'),
  },
  {
    name: 'abort leaves both queues, and the next prompt delivers them',
    answers: [[{ says: ['Hel', 'lo'] }], done, done],
    on: [
      {
        at: 'mu(text_delta 0 "Hel"',
        act: (person) => {
          person.steer('Left')
          person.followUp('Then')
          person.abort()
        },
      },
    ],
    steps: async (person) => {
      await promptGo(person)
      await person.prompt('Again')
    },
  },
  {
    name: 'abort from within the last turn’s end, with a steer queued',
    answers: [done, done, done],
    on: [
      {
        at: 'TE',
        act: (person) => {
          person.steer('Left')
          person.abort()
        },
      },
    ],
    steps: async (person) => {
      await promptGo(person)
      await person.prompt('Again')
    },
    differs: [
      {
        part: 'events',
        pi: ['TS', 'ms(user)', 'me(user "Left")', 'ask', 'ms(asst)', 'me(asst aborted)', 'TE(aborted)'],
        ours: [],
        because: 'noRequestAfterAbort',
      },
      { part: 'events', pi: [], ours: ['ms(user)', 'me(user "Left")'], because: 'noRequestAfterAbort' },
      {
        part: 'requests',
        pi: [
          'user "Go" · asst stop "Done" · user "Left"',
          'user "Go" · asst stop "Done" · user "Left" · asst aborted · user "Again"',
        ],
        ours: ['user "Go" · asst stop "Done" · user "Again" · user "Left"'],
        because: 'noRequestAfterAbort',
      },
      { part: 'transcript', pi: ['user "Left"', 'asst aborted'], ours: [], because: 'noRequestAfterAbort' },
      { part: 'transcript', pi: [], ours: ['user "Left"'], because: 'noRequestAfterAbort' },
    ],
  },
]
