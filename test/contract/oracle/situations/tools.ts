// Situations with tool calls: order, arguments, progress and failures.
import { add, breaks, echo, gated } from '../scripted-tools.ts'
import type { Answer, ScriptedTool, Situation } from '../situation.ts'
import { inSequence } from './in-sequence.ts'

const done: Answer = [{ says: ['Done'] }]
const three: Answer = ['c1', 'c2', 'c3'].map((id) => ({ calls: id, tool: 'gated', args: { text: id } }))

const reports: ScriptedTool = {
  ...echo,
  name: 'reports',
  run: ({ progress }) => {
    progress('half')
    progress('almost')
    return Promise.resolve('all')
  },
}

/** Emits progress after it has ended. */
const restless: ScriptedTool = {
  ...echo,
  name: 'restless',
  run: ({ progress, gate }) => {
    void gate('late').then(() => progress('too late'))
    progress('in time')
    return Promise.resolve('all')
  },
}

const failures: Situation = {
  name: 'calls that fail in every way beside one that works',
  tools: [echo, breaks, add],
  answers: [
    [
      { calls: 'c1', tool: 'nope', args: {} },
      { calls: 'c2', tool: 'echo', args: { text: 'fine' } },
      { calls: 'c3', tool: 'add', args: { numbers: 'many' } },
      { calls: 'c4', tool: 'breaks', args: { text: 'broken' } },
    ],
    done,
  ],
  steps: (person) => person.prompt('Try all'),
}

export const tools: readonly Situation[] = [
  {
    name: 'one tool call',
    tools: [echo],
    answers: [[{ says: ['I look'] }, { calls: 'c1', tool: 'echo', args: { text: 'a' } }], done],
    steps: (person) => person.prompt('Look'),
  },
  {
    name: 'two turns of tool calls',
    tools: [echo],
    answers: [
      [{ calls: 'c1', tool: 'echo', args: { text: 'a' } }],
      [{ calls: 'c2', tool: 'echo', args: { text: 'b' } }],
      done,
    ],
    steps: (person) => person.prompt('Look twice'),
  },
  {
    name: 'three calls side by side that end 2, 3, 1',
    tools: [gated],
    answers: [three, done],
    on: [
      { at: 'xs(c3', act: (person) => person.open('c2') },
      { at: 'xe(c2', act: (person) => person.open('c3') },
      { at: 'xe(c3', act: (person) => person.open('c1') },
    ],
    steps: (person) => person.prompt('Three'),
  },
  {
    name: 'three calls in sequence',
    tools: [gated],
    sequential: true,
    answers: [three, done],
    on: ['c1', 'c2', 'c3'].map((id) => ({ at: `xs(${id}`, act: (person) => person.open(id) })),
    steps: (person) => person.prompt('Three'),
  },
  {
    name: 'one serial tool among three calls',
    tools: [echo, { ...gated, serial: true }],
    answers: [
      [
        { calls: 'c1', tool: 'echo', args: { text: 'a' } },
        { calls: 'c2', tool: 'gated', args: {} },
        { calls: 'c3', tool: 'echo', args: { text: 'c' } },
      ],
      done,
    ],
    on: [{ at: 'xs(c2', act: (person) => person.open('c2') }],
    steps: (person) => person.prompt('Three'),
    differs: [
      {
        part: 'events',
        pi: [],
        ours: ['xs(c2 gated {})', 'xs(c3 echo {"text":"c"})'],
        because: 'serialAlone',
      },
      {
        part: 'events',
        pi: ['ms(result c1)', 'me(result c1 ok "a")', 'xs(c2 gated {})'],
        ours: [],
        because: 'serialAlone',
      },
      {
        part: 'events',
        pi: ['ms(result c2)', 'me(result c2 ok "c2 done")', 'xs(c3 echo {"text":"c"})'],
        ours: [],
        because: 'serialAlone',
      },
      {
        part: 'events',
        pi: [],
        ours: ['ms(result c1)', 'me(result c1 ok "a")', 'ms(result c2)', 'me(result c2 ok "c2 done")'],
        because: 'serialAlone',
      },
    ],
  },
  {
    name: 'an unknown tool',
    tools: [echo],
    answers: [[{ calls: 'c1', tool: 'nope', args: {} }], done],
    steps: (person) => person.prompt('Use nope'),
  },
  {
    name: 'invalid arguments',
    tools: [add],
    answers: [[{ calls: 'c1', tool: 'add', args: { numbers: { a: 1 } } }], done],
    steps: (person) => person.prompt('Add'),
  },
  {
    name: 'arguments that are repaired',
    tools: [add],
    answers: [
      [
        { calls: 'c1', tool: 'add', args: { numbers: ['5', 6] } },
        { calls: 'c2', tool: 'add', args: { numbers: '7' } },
        { calls: 'c3', tool: 'add', args: { numbers: [1], round: 'true', unit: null } },
      ],
      done,
    ],
    steps: (person) => person.prompt('Add'),
  },
  {
    name: 'arguments that the tool itself prepares',
    tools: [{ ...echo, prepare: ({ message }) => ({ text: message }) }],
    answers: [[{ calls: 'c1', tool: 'echo', args: { message: 'a' } }], done],
    steps: (person) => person.prompt('Look'),
  },
  {
    name: 'a result without content',
    tools: [{ ...echo, run: () => Promise.resolve({}) }],
    answers: [[{ calls: 'c1', tool: 'echo', args: {} }], done],
    steps: (person) => person.prompt('Look'),
  },
  {
    name: 'the same call three times in a row',
    tools: [echo],
    answers: [...['c1', 'c2', 'c3'].map((id): Answer => [{ calls: id, tool: 'echo', args: { text: 'a' } }]), done],
    steps: (person) => person.prompt('Look'),
    differs: [{ part: 'events', pi: [], ours: ['warning(same_call_repeated)'], because: 'sameCallWarning' }],
  },
  {
    name: 'two calls with the same id',
    tools: [echo],
    answers: [['a', 'b'].map((text) => ({ calls: 'c1', tool: 'echo', args: { text } })), done],
    steps: (person) => person.prompt('Look'),
    differs: [
      { part: 'events', pi: ['run(c1)'], ours: ['run(c1_2)'], because: 'ownCallIds' },
      {
        part: 'events',
        pi: ['me(asst toolUse call(c1 echo {"text":"a"}) call(c1 echo {"text":"b"}))'],
        ours: ['me(asst toolUse call(c1 echo {"text":"a"}) call(c1_2 echo {"text":"b"}))'],
        because: 'ownCallIds',
      },
      { part: 'events', pi: ['xs(c1 echo {"text":"b"})'], ours: ['xs(c1_2 echo {"text":"b"})'], because: 'ownCallIds' },
      { part: 'events', pi: ['xe(c1 ok "b")'], ours: ['xe(c1_2 ok "b")'], because: 'ownCallIds' },
      {
        part: 'events',
        pi: ['ms(result c1)', 'me(result c1 ok "b")', 'TE(toolUse: c1 c1)'],
        ours: ['ms(result c1_2)', 'me(result c1_2 ok "b")', 'TE(toolUse: c1 c1_2)'],
        because: 'ownCallIds',
      },
      {
        part: 'requests',
        pi: [
          'user "Look" · asst toolUse call(c1 echo {"text":"a"}) call(c1 echo {"text":"b"}) · result c1 ok "a" · result c1 ok "b"',
        ],
        ours: [
          'user "Look" · asst toolUse call(c1 echo {"text":"a"}) call(c1_2 echo {"text":"b"}) · result c1 ok "a" · result c1_2 ok "b"',
        ],
        because: 'ownCallIds',
      },
      { part: 'tools', pi: ['c1 echo {"text":"b"}'], ours: ['c1_2 echo {"text":"b"}'], because: 'ownCallIds' },
      {
        part: 'transcript',
        pi: ['asst toolUse call(c1 echo {"text":"a"}) call(c1 echo {"text":"b"})'],
        ours: ['asst toolUse call(c1 echo {"text":"a"}) call(c1_2 echo {"text":"b"})'],
        because: 'ownCallIds',
      },
      { part: 'transcript', pi: ['result c1 ok "b"'], ours: ['result c1_2 ok "b"'], because: 'ownCallIds' },
    ],
  },
  {
    name: 'a tool that throws',
    tools: [breaks],
    answers: [[{ calls: 'c1', tool: 'breaks', args: { text: 'no luck' } }], done],
    steps: (person) => person.prompt('Break'),
  },
  failures,
  inSequence(failures),
  {
    name: 'progress of a tool',
    tools: [reports],
    answers: [[{ calls: 'c1', tool: 'reports', args: {} }], done],
    steps: (person) => person.prompt('Report'),
  },
  {
    name: 'progress after the tool has settled',
    tools: [restless],
    answers: [[{ calls: 'c1', tool: 'restless', args: {} }], done],
    on: [{ at: 'xe(c1', act: (person) => person.open('late') }],
    steps: (person) => person.prompt('Report'),
  },
  {
    name: 'calls in an answer that the output limit cut',
    tools: [echo],
    answers: [
      [...['c1', 'c2'].map((id) => ({ calls: id, tool: 'echo', args: { text: id } })), { ends: 'length' }],
      done,
    ],
    steps: (person) => person.prompt('Look'),
  },
  {
    name: 'a call in an answer that the output limit cut',
    tools: [echo],
    answers: [[{ calls: 'c1', tool: 'echo', args: { text: 'a' } }, { ends: 'length' }], done],
    steps: (person) => person.prompt('Look'),
  },
  {
    name: 'a call in an answer that ends with stop',
    tools: [echo],
    answers: [[{ calls: 'c1', tool: 'echo', args: { text: 'a' } }, { ends: 'stop' }], done],
    steps: (person) => person.prompt('Look'),
  },
]
