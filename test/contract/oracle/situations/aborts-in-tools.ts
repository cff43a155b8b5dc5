// Situations with an abort while calls are prepared or run.
import { echo, gated } from '../scripted-tools.ts'
import type { Answer, Person, ScriptedTool, Situation } from '../situation.ts'
import { piRequestsOnceMore, endsTheTool } from './abort-differences.ts'

const done: Answer = [{ says: ['Done'] }]
const promptGo = (person: Person): Promise<void> => person.prompt('Go')
const abort = (person: Person): void => person.abort()

/** Ends, as well-behaved tools do, when its signal aborts. */
const heeds: ScriptedTool = {
  ...echo,
  name: 'heeds',
  run: ({ signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true })
    }),
}

/** Returns its partial result when its signal aborts. */
const salvages: ScriptedTool = {
  ...echo,
  name: 'salvages',
  run: ({ signal }) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve('half'), { once: true })
    }),
}

export const abortsInTools: readonly Situation[] = [
  {
    name: 'abort while a call is prepared',
    tools: [echo],
    answers: [
      [
        { calls: 'c1', tool: 'echo', args: { text: 'a' } },
        { calls: 'c2', tool: 'echo', args: { text: 'b' } },
      ],
      done,
    ],
    on: [{ at: 'xs(c1', act: abort }],
    steps: promptGo,
    differs: [
      {
        part: 'events',
        pi: [],
        ours: ['xs(c2 echo {"text":"b"})', 'xe(c2 error <aborted>)'],
        because: 'everyCallHasAResult',
      },
      {
        part: 'events',
        pi: ['TE(toolUse: c1)', 'TS', 'ask', 'ms(asst)', 'me(asst aborted)', 'TE(aborted)'],
        ours: ['ms(result c2)', 'me(result c2 error <aborted>)', 'TE(toolUse: c1 c2)'],
        because: 'everyCallHasAResult',
      },
      {
        part: 'requests',
        pi: [
          'user "Go" · asst toolUse call(c1 echo {"text":"a"}) call(c2 echo {"text":"b"}) · result c1 error <aborted>',
        ],
        ours: [],
        because: 'noRequestAfterAbort',
      },
      {
        part: 'transcript',
        pi: ['asst aborted'],
        ours: ['result c2 error <aborted>'],
        because: 'everyCallHasAResult',
      },
    ],
  },
  {
    name: 'abort during a tool that heeds its signal',
    tools: [heeds],
    answers: [[{ calls: 'c1', tool: 'heeds', args: {} }], done],
    on: [{ at: 'xs(c1', act: (person) => setImmediate(() => person.abort()) }],
    steps: promptGo,
    differs: endsTheTool('error "stopped"', 'user "Go" · asst toolUse call(c1 heeds {}) · result c1 error "stopped"'),
  },
  {
    name: 'abort during a tool that answers it with a result',
    tools: [salvages],
    answers: [[{ calls: 'c1', tool: 'salvages', args: {} }], done],
    on: [{ at: 'xs(c1', act: (person) => setImmediate(() => person.abort()) }],
    steps: promptGo,
    differs: piRequestsOnceMore('user "Go" · asst toolUse call(c1 salvages {}) · result c1 ok "half"'),
  },
  {
    name: 'abort during a tool that does not heed it',
    tools: [gated],
    answers: [[{ calls: 'c1', tool: 'gated', args: {} }], done],
    on: [
      {
        at: 'xs(c1',
        act: (person) =>
          setImmediate(() => {
            person.abort()
            person.open('c1')
          }),
      },
    ],
    steps: promptGo,
    differs: endsTheTool('ok "c1 done"', 'user "Go" · asst toolUse call(c1 gated {}) · result c1 ok "c1 done"'),
  },
  {
    name: 'abort during the first of two tools in sequence',
    sequential: true,
    tools: [heeds, echo],
    answers: [
      [
        { calls: 'c1', tool: 'heeds', args: {} },
        { calls: 'c2', tool: 'echo', args: { text: 'b' } },
      ],
      done,
    ],
    on: [{ at: 'xs(c1', act: (person) => setImmediate(() => person.abort()) }],
    steps: promptGo,
    differs: [
      {
        part: 'events',
        pi: ['xe(c1 error "stopped")'],
        ours: ['xe(c1 error <aborted>)'],
        because: 'abortedAtOnce',
      },
      {
        part: 'events',
        pi: [
          'me(result c1 error "stopped")',
          'TE(toolUse: c1)',
          'TS',
          'ask',
          'ms(asst)',
          'me(asst aborted)',
          'TE(aborted)',
        ],
        ours: [
          'me(result c1 error <aborted>)',
          'xs(c2 echo {"text":"b"})',
          'xe(c2 error <aborted>)',
          'ms(result c2)',
          'me(result c2 error <aborted>)',
          'TE(toolUse: c1 c2)',
        ],
        because: 'everyCallHasAResult',
      },
      {
        part: 'requests',
        pi: ['user "Go" · asst toolUse call(c1 heeds {}) call(c2 echo {"text":"b"}) · result c1 error "stopped"'],
        ours: [],
        because: 'noRequestAfterAbort',
      },
      {
        part: 'transcript',
        pi: ['result c1 error "stopped"', 'asst aborted'],
        ours: ['result c1 error <aborted>', 'result c2 error <aborted>'],
        because: 'everyCallHasAResult',
      },
    ],
  },
]
