// Situations with answers without tools.
import type { Situation } from '../situation.ts'

export const prompts: readonly Situation[] = [
  {
    name: 'a plain prompt',
    answers: [[{ says: ['Hello'] }]],
    course: (person) => person.prompt('Hi'),
  },
  {
    name: 'a text in many deltas',
    answers: [[{ says: Array.from({ length: 20 }, (_, index) => `word ${index} `) }]],
    course: (person) => person.prompt('Tell me more'),
  },
  {
    name: 'an empty answer',
    answers: [[]],
    course: (person) => person.prompt('Hi'),
  },
  {
    name: 'thinking, then text',
    answers: [[{ thinks: ['Let me', ' see'] }, { says: ['Here'] }]],
    course: (person) => person.prompt('Think'),
  },
  {
    name: 'two texts with thinking between them',
    answers: [[{ says: ['One'] }, { thinks: ['hm'] }, { says: ['Two'] }]],
    course: (person) => person.prompt('Twice'),
  },
  {
    name: 'a text cut by the output limit',
    answers: [[{ says: ['and so'] }, { ends: 'length' }]],
    course: (person) => person.prompt('Go on'),
  },
  {
    name: 'a text that ends with toolUse and calls nothing',
    answers: [[{ says: ['I call nothing'] }, { ends: 'toolUse' }]],
    course: (person) => person.prompt('Go on'),
  },
  {
    name: 'a context transform that throws',
    answers: [],
    transform: () => {
      throw new Error('no context')
    },
    course: (person) => person.prompt('Hi'),
    differs: [
      {
        part: 'events',
        pi: ['me(asst error "" (no context))'],
        ours: ['me(asst error (no context))'],
        because: 'nothingSaid',
      },
      {
        part: 'transcript',
        pi: ['asst error "" (no context)'],
        ours: ['asst error (no context)'],
        because: 'nothingSaid',
      },
    ],
  },
  {
    name: 'a conversation of two prompts',
    answers: [[{ says: ['First'] }], [{ says: ['Second'] }]],
    course: async (person) => {
      await person.prompt('One')
      await person.prompt('Two')
    },
  },
  {
    name: 'a prompt while a run is on',
    answers: [[{ says: ['Work', 'ing'] }]],
    on: [{ at: 'mu(text_delta 0 "Work"', act: (person) => void person.prompt('Me too') }],
    course: (person) => person.prompt('Work'),
  },
  {
    name: 'a prompt from within agent_end',
    answers: [[{ says: ['Done'] }]],
    on: [{ at: 'AE', act: (person) => void person.prompt('Again') }],
    course: (person) => person.prompt('Work'),
  },
]
