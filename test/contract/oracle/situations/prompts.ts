// Situations with answers without tools.
import type { Situation } from '../situation.ts'

export const prompts: readonly Situation[] = [
  {
    name: 'a plain prompt',
    answers: [[{ says: ['Hello'] }]],
    steps: (person) => person.prompt('Hi'),
  },
  {
    name: 'a text in many deltas',
    answers: [[{ says: Array.from({ length: 20 }, (_, index) => `word ${index} `) }]],
    steps: (person) => person.prompt('Tell me more'),
  },
  {
    name: 'an empty answer',
    answers: [[]],
    steps: (person) => person.prompt('Hi'),
  },
  {
    name: 'thinking, then text',
    answers: [[{ thinks: ['Let me', ' see'] }, { says: ['Here'] }]],
    steps: (person) => person.prompt('Think'),
  },
  {
    name: 'two texts with thinking between them',
    answers: [[{ says: ['One'] }, { thinks: ['hm'] }, { says: ['Two'] }]],
    steps: (person) => person.prompt('Twice'),
  },
  {
    name: 'a text cut by the output limit',
    answers: [[{ says: ['and so'] }, { ends: 'length' }]],
    steps: (person) => person.prompt('Go on'),
  },
  {
    name: 'a text that ends with toolUse and calls nothing',
    answers: [[{ says: ['I call nothing'] }, { ends: 'toolUse' }]],
    steps: (person) => person.prompt('Go on'),
  },
  {
    name: 'a context transform that throws',
    answers: [],
    transform: () => {
      throw new Error('no context')
    },
    steps: (person) => person.prompt('Hi'),
    differs: [
      {
        part: 'events',
        pi: ['me(asst error "" (no context))'],
        ours: ['me(asst error (no context))'],
        because: 'nothingOutput',
      },
      {
        part: 'transcript',
        pi: ['asst error "" (no context)'],
        ours: ['asst error (no context)'],
        because: 'nothingOutput',
      },
    ],
  },
  {
    name: 'a conversation of two prompts',
    answers: [[{ says: ['First'] }], [{ says: ['Second'] }]],
    steps: async (person) => {
      await person.prompt('One')
      await person.prompt('Two')
    },
  },
  {
    name: 'a prompt while a run is on',
    answers: [[{ says: ['Work', 'ing'] }]],
    on: [{ at: 'mu(text_delta 0 "Work"', act: (person) => void person.prompt('Me too') }],
    steps: (person) => person.prompt('Work'),
  },
  {
    name: 'a prompt from within agent_end',
    answers: [[{ says: ['Done'] }]],
    on: [{ at: 'AE', act: (person) => void person.prompt('Again') }],
    steps: (person) => person.prompt('Work'),
  },
]
