// Situations in which the provider or a listener fails: content and queues stay.
import { echo } from '../scripted-tools.ts'
import type { Answer, Person, Situation } from '../situation.ts'

const call: Answer = [{ calls: 'c1', tool: 'echo', args: { text: 'a' } }]
const done: Answer = [{ says: ['Done'] }]
const promptGo = (person: Person): Promise<void> => person.prompt('Go')

export const failures: readonly Situation[] = [
  {
    name: 'the provider fails before anything',
    answers: [[{ fails: 'boom' }]],
    steps: promptGo,
  },
  {
    name: 'the provider fails after the answer began, before its first delta',
    answers: [[{ begins: true }, { fails: 'boom' }]],
    steps: promptGo,
  },
  {
    name: 'the provider fails in mid-text',
    answers: [[{ says: ['Hel'] }, { fails: 'boom' }]],
    steps: promptGo,
  },
  {
    name: 'the provider fails with a call open',
    tools: [echo],
    answers: [[{ calls: 'c1', tool: 'echo', args: { text: 'a' }, cut: true }, { fails: 'boom' }]],
    steps: promptGo,
    differs: [
      {
        part: 'events',
        pi: ['TE(error)'],
        ours: [
          'xs(c1 echo {})',
          'xe(c1 error <cut by a failure>)',
          'ms(result c1)',
          'me(result c1 error <cut by a failure>)',
          'TE(error: c1)',
        ],
        because: 'callsOfCutAnswers',
      },
      { part: 'transcript', pi: [], ours: ['result c1 error <cut by a failure>'], because: 'callsOfCutAnswers' },
    ],
  },
  {
    name: 'the provider fails with a whole call',
    tools: [echo],
    answers: [[...call, { fails: 'boom' }]],
    steps: promptGo,
    differs: [
      {
        part: 'events',
        pi: ['TE(error)'],
        ours: [
          'xs(c1 echo {"text":"a"})',
          'xe(c1 error <cut by a failure>)',
          'ms(result c1)',
          'me(result c1 error <cut by a failure>)',
          'TE(error: c1)',
        ],
        because: 'callsOfCutAnswers',
      },
      { part: 'transcript', pi: [], ours: ['result c1 error <cut by a failure>'], because: 'callsOfCutAnswers' },
    ],
  },
  {
    name: 'the provider fails in the second turn',
    tools: [echo],
    answers: [call, [{ says: ['Hel'] }, { fails: 'boom' }]],
    steps: promptGo,
  },
  {
    name: 'a failure leaves both queues, and the next prompt delivers them',
    answers: [[{ says: ['Hel'] }, { fails: 'boom' }], done, done],
    on: [
      {
        at: 'mu(text_delta 0 "Hel"',
        act: (person) => {
          person.steer('Left')
          person.followUp('Then')
        },
      },
    ],
    steps: async (person) => {
      await promptGo(person)
      await person.prompt('Again')
    },
  },
  {
    name: 'a listener that throws',
    answers: [done],
    on: [
      {
        at: 'me(user',
        act: () => {
          throw new Error('the listener broke')
        },
      },
    ],
    steps: promptGo,
    differs: [
      { part: 'events', pi: [], ours: ['warning(listener_failed)', 'ask'], because: 'listenersCannotHurt' },
      {
        part: 'events',
        pi: ['me(asst error "" (the listener broke))', 'TE(error)'],
        ours: ['mu(text_start 0)', 'mu(text_delta 0 "Done")', 'mu(text_end 0)', 'me(asst stop "Done")', 'TE(stop)'],
        because: 'listenersCannotHurt',
      },
      { part: 'requests', pi: [], ours: ['user "Go"'], because: 'listenersCannotHurt' },
      {
        part: 'transcript',
        pi: ['asst error "" (the listener broke)', 'left with the error the listener broke'],
        ours: ['asst stop "Done"'],
        because: 'listenersCannotHurt',
      },
    ],
  },
]
