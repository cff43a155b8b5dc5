// Situations with queued inputs: when they are delivered, and in which order.
import { echo, finish, gated } from '../scripted-tools.ts'
import type { Answer, Person, ScriptedTool, Situation } from '../situation.ts'

const texts: readonly Answer[] = ['One', 'Two', 'Three', 'Four'].map((text) => [{ says: [text] }])
const call: Answer = [{ calls: 'c1', tool: 'steered', args: {} }]

/** A tool during which the user acts. */
function toolThat(act: (person: Person) => void): ScriptedTool {
  return {
    ...echo,
    name: 'steered',
    run: ({ person }) => {
      act(person)
      return Promise.resolve('ok')
    },
  }
}

function steer(...inputs: string[]): (person: Person) => void {
  return (person) => inputs.forEach((text) => person.steer(text))
}

function followUp(...inputs: string[]): (person: Person) => void {
  return (person) => inputs.forEach((text) => person.followUp(text))
}

export const queues: readonly Situation[] = [
  {
    name: 'a steer during a tool',
    tools: [toolThat(steer('Left'))],
    answers: [call, ...texts],
    steps: (person) => person.prompt('Go'),
  },
  {
    name: 'a steer during the first of three tools skips none',
    tools: [toolThat(steer('Left')), gated],
    answers: [[...call, { calls: 'c2', tool: 'gated', args: {} }, { calls: 'c3', tool: 'gated', args: {} }], ...texts],
    on: [
      { at: 'xe(c1', act: (person) => person.open('c3') },
      { at: 'xe(c3', act: (person) => person.open('c2') },
    ],
    steps: (person) => person.prompt('Go'),
  },
  {
    name: 'a steer during the first of two tools in sequence skips none',
    sequential: true,
    tools: [toolThat(steer('Left')), echo],
    answers: [[...call, { calls: 'c2', tool: 'echo', args: { text: 'a' } }], ...texts],
    steps: (person) => person.prompt('Go'),
  },
  {
    name: 'two steers during a tool, one at a time',
    tools: [toolThat(steer('Left', 'Right'))],
    answers: [call, ...texts],
    steps: (person) => person.prompt('Go'),
  },
  {
    name: 'two steers during a tool, all at once',
    steeringMode: 'all',
    tools: [toolThat(steer('Left', 'Right'))],
    answers: [call, ...texts],
    steps: (person) => person.prompt('Go'),
  },
  {
    name: 'two steers during a tool that lets all be taken from now on',
    tools: [
      toolThat((person) => {
        steer('Left', 'Right')(person)
        person.setMode('steering', 'all')
      }),
    ],
    answers: [call, ...texts],
    steps: (person) => person.prompt('Go'),
  },
  {
    name: 'queues that are cleared during the run',
    answers: texts,
    on: [
      { at: 'mu(text_delta 0 "One"', act: (person) => [steer('Left'), followUp('Then')].forEach((act) => act(person)) },
      { at: 'mu(text_end 0', act: (person) => person.clearQueues() },
    ],
    steps: (person) => person.prompt('Go'),
  },
  {
    name: 'a follow-up during a tool',
    tools: [toolThat(followUp('Then'))],
    answers: [call, ...texts],
    steps: (person) => person.prompt('Go'),
  },
  {
    name: 'two follow-ups, one at a time',
    answers: texts,
    on: [{ at: 'mu(text_delta 0 "One"', act: followUp('Then', 'And then') }],
    steps: (person) => person.prompt('Go'),
  },
  {
    name: 'two follow-ups, all at once',
    followUpMode: 'all',
    answers: texts,
    on: [{ at: 'mu(text_delta 0 "One"', act: followUp('Then', 'And then') }],
    steps: (person) => person.prompt('Go'),
  },
  {
    name: 'a follow-up, then a steer: the steer goes first',
    answers: texts,
    on: [
      { at: 'mu(text_delta 0 "One"', act: followUp('Then') },
      { at: 'mu(text_end 0', act: steer('Left') },
    ],
    steps: (person) => person.prompt('Go'),
  },
  {
    name: 'a steer while a follow-up is answered, with another waiting',
    answers: texts,
    on: [
      { at: 'mu(text_delta 0 "One"', act: followUp('Then', 'And then') },
      { at: 'mu(text_delta 0 "Two"', act: steer('Left') },
    ],
    steps: (person) => person.prompt('Go'),
  },
  {
    name: 'a steer during an answer without tools',
    answers: texts,
    on: [{ at: 'mu(text_delta 0 "One"', act: steer('Left') }],
    steps: (person) => person.prompt('Go'),
  },
  {
    name: 'a steer from within turn_end',
    answers: texts,
    on: [{ at: 'TE', act: steer('Left') }],
    steps: (person) => person.prompt('Go'),
  },
  {
    name: 'a steer from within the prompt’s message',
    answers: texts,
    on: [{ at: 'me(user "Go"', act: steer('Left') }],
    steps: (person) => person.prompt('Go'),
  },
  {
    name: 'a steer from within agent_start',
    answers: texts,
    on: [{ at: 'AS', act: steer('Left') }],
    steps: (person) => person.prompt('Go'),
  },
  {
    name: 'a steer from within agent_end waits for the next run',
    answers: texts,
    on: [{ at: 'AE', act: steer('Left') }],
    steps: async (person) => {
      await person.prompt('Go')
      await person.prompt('Again')
    },
  },
  {
    name: 'two steers queued before the prompt, one at a time',
    answers: texts,
    steps: (person) => {
      steer('Left', 'Right')(person)
      return person.prompt('Go')
    },
  },
  {
    name: 'two steers queued before the prompt, all at once',
    steeringMode: 'all',
    answers: texts,
    steps: (person) => {
      steer('Left', 'Right')(person)
      return person.prompt('Go')
    },
  },
  {
    name: 'a follow-up queued before the prompt',
    answers: texts,
    steps: (person) => {
      person.followUp('Then')
      return person.prompt('Go')
    },
  },
  {
    name: 'terminate by all calls while a steer is queued',
    tools: [{ ...finish, name: 'steered' }],
    answers: [call, ...texts],
    on: [{ at: 'xs(c1', act: steer('Left') }],
    steps: (person) => person.prompt('Go'),
  },
  {
    name: 'terminate by all calls while a follow-up is queued',
    tools: [{ ...finish, name: 'steered' }],
    answers: [call, ...texts],
    on: [{ at: 'xs(c1', act: followUp('Then') }],
    steps: (person) => person.prompt('Go'),
  },
]
