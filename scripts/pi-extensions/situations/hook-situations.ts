// Situations of pi's examples that observe or change runs: gates, prompts, input, context, git.
import type { ModelTurn, Situation } from '../contract/situation.ts'

const hello = { prompt: 'Hello' }
const bashCall = (command: string): ModelTurn => ({ calls: [{ name: 'bash', arguments: { command } }] })
const fileCalls: ModelTurn = {
  calls: [
    { name: 'read', arguments: { path: 'notes.txt' } },
    { name: 'write', arguments: { path: 'new.txt', content: 'new\n' } },
    { name: 'edit', arguments: { path: 'notes.txt', edits: [{ oldText: 'two', newText: '2' }] } },
  ],
}

export const hookSituations: Readonly<Record<string, Situation>> = {
  'auto-commit-on-exit': { git: true, steps: [{ write: 'notes.txt', text: 'changed\n' }, hello] },
  'bash-spawn-hook': { steps: [{ prompt: 'Run it', model: [bashCall('echo "hook=$PI_SPAWN_HOOK"'), 'Ran.'] }] },
  'claude-rules': { files: { '.claude/rules/style.md': '# Style\n', '.claude/rules/deep/tests.md': '# Tests\n' }, steps: [hello] }, // prettier-ignore
  'confirm-destructive': {
    steps: [hello, { session: 'fork' }, { session: 'new' }, { session: 'new' }],
    answers: { select: ['No'], confirm: [false, true] },
  },
  'custom-compaction': {
    steps: [hello, { prompt: 'More' }, { session: 'compact', model: ['A summary.', 'A summary.'] }],
  },
  'dirty-repo-guard': {
    git: true,
    steps: [hello, { write: 'notes.txt', text: 'changed\n' }, { session: 'fork' }, { session: 'new' }],
    answers: { select: ['No'] },
  },
  'file-trigger': {
    files: { '/tmp/agent-trigger.txt': '' }, // the example names this path
    steps: [hello, { write: '/tmp/agent-trigger.txt', text: 'look here' }, { prompt: 'Go on' }],
  },
  'git-checkpoint': {
    git: true,
    steps: [{ prompt: 'Change it', model: [fileCalls, 'Changed.'] }, hello, { session: 'fork' }],
  },
  'git-merge-and-resolve': { git: true, steps: [hello] },
  'inline-bash': { steps: [{ prompt: 'The date is !{echo monday} and !{false; echo oops >&2; exit 3}' }, hello] },
  'input-transform': { steps: [{ prompt: '?quick why' }, { prompt: 'ping' }, { prompt: '?quick ' }, hello] },
  'input-transform-streaming': {
    git: true,
    steps: [{ write: 'notes.txt', text: 'changed\n' }, { prompt: 'Look at the changes' }, hello],
  },
  'interactive-shell': { steps: [{ bash: 'echo plain' }, { bash: 'i true' }, hello] },
  'permission-gate': {
    steps: [
      { prompt: 'Delete', model: [bashCall('rm -rf gone'), bashCall('rm -rf gone'), bashCall('echo fine'), 'Done.'] },
    ],
    answers: { select: ['Yes', 'No'] },
  },
  pirate: { steps: [hello, { prompt: '/pirate' }, hello, { prompt: '/pirate' }, hello] },
  'project-trust': { steps: [hello] },
  'prompt-customizer': { steps: [hello] },
  'protected-paths': {
    steps: [
      {
        prompt: 'Write',
        model: [
          {
            calls: [
              { name: 'write', arguments: { path: '.env', content: 'A=1\n' } },
              { name: 'write', arguments: { path: 'fine.txt', content: 'fine\n' } },
            ],
          },
          'Done.',
        ],
      },
    ],
  },
  'provider-payload': { files: { '.pi/empty': '' }, steps: [hello] },
  'system-prompt-header': { steps: [hello] },
  'trigger-compact': { steps: [hello, hello, { prompt: '/trigger-compact the goal', model: ['A summary.'] }, hello] },
  sandbox: { install: true, steps: [{ prompt: 'Run', model: [bashCall('echo boxed'), 'Ran.'] }, { prompt: '/sandbox' }, { bash: 'echo mine' }] }, // prettier-ignore
  gondolin: { install: true, steps: [hello] },
  ssh: { steps: [{ prompt: 'Work', model: [fileCalls, bashCall('echo local'), 'Done.'] }, { bash: 'echo mine' }] },
}
