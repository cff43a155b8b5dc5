// Situations with a continue or a reset.
import { echo } from '../scripted-tools.ts'
import type { Answer, Person, Situation } from '../situation.ts'

const texts: readonly Answer[] = ['One', 'Two', 'Three', 'Four'].map((text) => [{ says: [text] }])
const call: Answer = [{ calls: 'c1', tool: 'echo', args: { text: 'a' } }]

/** A prompt, then a continue. */
function continueAfter(prepare: (person: Person) => Promise<void> | void): (person: Person) => Promise<void> {
  return async (person) => {
    await person.prompt('Go')
    await prepare(person)
    await person.continue()
  }
}

export const continuing: readonly Situation[] = [
  {
    name: 'continue with an empty history',
    answers: [],
    steps: (person) => person.continue(),
  },
  {
    name: 'continue after a user message',
    answers: texts,
    steps: continueAfter((person) => person.rewind(1)),
  },
  {
    name: 'continue after a user message with a steer queued',
    answers: texts,
    steps: continueAfter(async (person) => {
      await person.rewind(1)
      person.steer('Left')
    }),
  },
  {
    name: 'continue after a tool result',
    tools: [echo],
    answers: [call, ...texts],
    steps: continueAfter((person) => person.rewind(3)),
  },
  {
    name: 'continue after an answer with two steers queued',
    answers: texts,
    steps: continueAfter((person) => {
      person.steer('Left')
      person.steer('Right')
    }),
  },
  {
    name: 'continue after an answer with two steers queued, all at once',
    steeringMode: 'all',
    answers: texts,
    steps: continueAfter((person) => {
      person.steer('Left')
      person.steer('Right')
    }),
  },
  {
    name: 'continue after an answer with two follow-ups queued',
    answers: texts,
    steps: continueAfter((person) => {
      person.followUp('Then')
      person.followUp('And then')
    }),
  },
  {
    name: 'continue after an answer with a steer and a follow-up queued',
    answers: texts,
    steps: continueAfter((person) => {
      person.followUp('Then')
      person.steer('Left')
    }),
  },
  {
    name: 'continue after an answer with nothing queued',
    answers: texts,
    steps: continueAfter(() => undefined),
  },
  {
    name: 'continue while a run is on',
    answers: texts,
    on: [{ at: 'mu(text_delta', act: (person) => void person.continue() }],
    steps: (person) => person.prompt('Go'),
  },
  {
    name: 'continue after a failure',
    answers: [[{ says: ['Hel'] }, { fails: 'boom' }], ...texts],
    steps: continueAfter((person) => person.rewind(1)),
  },
  {
    name: 'continue after an answer that failed in mid-text',
    answers: [[{ says: ['Hel'] }, { fails: 'boom' }], ...texts],
    steps: continueAfter(() => undefined),
  },
  {
    name: 'continue after an answer that failed before anything',
    answers: [[{ fails: 'boom' }], ...texts],
    steps: continueAfter(() => undefined),
    differs: [
      {
        part: 'events',
        pi: [],
        ours: [
          ...['AS', 'TS', 'ask', 'ms(asst)', 'mu(text_start 0)', 'mu(text_delta 0 "One")', 'mu(text_end 0)'],
          ...['me(asst stop "One")', 'TE(stop)', 'AE', 'SET'],
        ],
        because: 'continuesPastNothing',
      },
      { part: 'requests', pi: [], ours: ['user "Go" · asst error (boom)'], because: 'continuesPastNothing' },
      {
        part: 'transcript',
        pi: ['left with the error boom'],
        ours: ['asst stop "One"'],
        because: 'continuesPastNothing',
      },
      {
        part: 'promises',
        pi: ['continue rejects <nothing to continue>'],
        ours: ['continue resolves'],
        because: 'continuesPastNothing',
      },
    ],
  },
  {
    name: 'a reset forgets the transcript and the queues',
    answers: texts,
    steps: async (person) => {
      await person.prompt('Go')
      person.steer('Left')
      person.followUp('Then')
      await person.reset()
      await person.prompt('Anew')
    },
  },
]
