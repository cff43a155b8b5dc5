// Situations of pi's examples that register or replace tools and providers.
import type { ModelTurn, Situation } from '../contract/situation.ts'

const hello = { prompt: 'Hello' }
const call = (name: string, args: Record<string, unknown> = {}): ModelTurn => ({ calls: [{ name, arguments: args }] })
const builtIn: readonly ModelTurn[] = [
  call('read', { path: 'notes.txt' }),
  call('bash', { command: 'echo out; echo err >&2' }),
  call('write', { path: 'new.txt', content: 'a\nb\n' }),
  call('edit', { path: 'notes.txt', edits: [{ oldText: 'two', newText: '2' }] }),
  'Done.',
]

export const toolSituations: Readonly<Record<string, Situation>> = {
  'built-in-tool-renderer': { steps: [{ prompt: 'Work', model: builtIn }] },
  'dynamic-tools': {
    steps: [
      { prompt: 'Echo', model: [call('echo_session', { message: 'hi' }), 'Echoed.'] },
      { prompt: '/add-echo-tool second' },
      { prompt: '/add-echo-tool second' },
      { prompt: '/add-echo-tool No Good' },
      { prompt: 'Again', model: [call('second', { message: 'ho' }), 'Echoed.'] },
    ],
  },
  hello: { steps: [{ prompt: 'Greet', model: [call('hello', { name: 'Ada' }), 'Greeted.'] }] },
  'minimal-mode': {
    steps: [{ prompt: 'Work', model: [call('find', { pattern: '*.txt' }), call('grep', { pattern: 'two' }), call('ls', {}), ...builtIn] }], // prettier-ignore
  },
  question: {
    steps: [
      { prompt: 'Ask', model: [call('question', { question: 'Which?', options: [{ label: 'One' }, { label: 'Two', description: 'the second' }] }), 'Done.'] }, // prettier-ignore
      { prompt: 'Ask', model: [call('question', { question: 'Which?', options: [{ label: 'One' }] }), 'Done.'] },
      { prompt: 'Ask', model: [call('question', { question: 'Which?', options: [] }), 'Done.'] },
    ],
    answers: { keys: [['\u001B[B', '\r'], ['\u001B']] },
  },
  questionnaire: {
    steps: [
      {
        prompt: 'Ask',
        model: [
          call('questionnaire', {
            questions: [
              { id: 'scope', label: 'Scope', prompt: 'What scope?', options: [{ value: 'a', label: 'A' }, { value: 'b', label: 'B' }] }, // prettier-ignore
              { id: 'size', label: 'Size', prompt: 'What size?', options: [{ value: 's', label: 'Small' }] },
            ],
          }),
          'Done.',
        ],
      },
    ],
    answers: { keys: [['\u001B[B', '\r', '\r', '\r']] },
  },
  'reload-runtime': { steps: [hello, { prompt: '/reload-runtime' }, { prompt: 'Reload', model: [call('reload_runtime'), 'Reloaded.'] }, hello] }, // prettier-ignore
  'shutdown-command': {
    steps: [
      { prompt: 'Finish', model: [call('finish_and_exit'), 'Bye.'] },
      { prompt: 'Deploy', model: [call('deploy_and_exit', { environment: 'test' }), 'Bye.'] },
      { prompt: '/quit' },
    ],
  },
  'structured-output': {
    steps: [
      { prompt: 'Structure', model: [call('structured_output', { headline: 'H', summary: 'S', actionItems: ['a', 'b'] }), 'never'] }, // prettier-ignore
      hello,
    ],
  },
  subagent: {
    steps: [{ prompt: 'Delegate', model: [call('subagent', { agent: 'nobody', task: 'nothing' }), call('subagent', {}), 'Done.'] }], // prettier-ignore
  },
  'tic-tac-toe': {
    steps: [
      { prompt: '/tic-tac-toe', model: ['Your move.'] },
      { prompt: 'Move', model: [call('tic_tac_toe', { action: 'move_left' }), 'Moved.'] },
    ],
    answers: { keys: [['\r', '\u001B']] },
  },
  todo: {
    steps: [
      { prompt: 'Plan', model: [call('todo', { action: 'add', text: 'first' }), call('todo', { action: 'add', text: 'second' }), call('todo', { action: 'toggle', id: 1 }), call('todo', { action: 'list' }), 'Done.'] }, // prettier-ignore
      { prompt: '/todos' },
      { session: 'new' },
      { prompt: '/todos' },
    ],
  },
  'tool-override': {
    files: { '.env': 'SECRET=1\n' },
    steps: [
      { prompt: 'Read', model: [call('read', { path: 'notes.txt' }), call('read', { path: '.env' }), call('read', { path: 'none.txt' }), 'Done.'] }, // prettier-ignore
      { prompt: '/read-log' },
    ],
  },
  'truncated-tool': {
    steps: [{ prompt: 'Search', model: [call('rg', { pattern: 'two' }), call('rg', { pattern: 'nowhere' }), 'Done.'] }],
  },
  'with-deps': { install: true, steps: [{ prompt: 'Parse', model: [call('parse_duration', { duration: '2 days' }), call('parse_duration', { duration: 'soon' }), 'Done.'] }] }, // prettier-ignore
  'custom-provider-anthropic': { install: true, steps: [hello] },
  'custom-provider-gitlab-duo': { steps: [hello] },
}
