// Situations of pi's examples that show something: dialogs, widgets, editors, overlays, games.
import type { ModelTurn, Situation } from '../contract/situation.ts'

const hello = { prompt: 'Hello' }
const bash: ModelTurn = { calls: [{ name: 'bash', arguments: { command: 'echo out' } }] }
const down = '\u001B[B'
const escape = '\u001B'

export const screenSituations: Readonly<Record<string, Situation>> = {
  bookmark: { steps: [{ prompt: '/bookmark early' }, hello, { prompt: '/bookmark here' }, { prompt: '/unbookmark' }, { prompt: '/unbookmark' }] }, // prettier-ignore
  'border-status-editor': { steps: [hello] },
  commands: { steps: [{ prompt: '/commands' }, { prompt: '/commands skill' }], answers: { select: ['/commands'] } },
  'custom-footer': { steps: [hello, { prompt: '/footer' }, hello, { prompt: '/footer' }] },
  'custom-header': { steps: [hello, { prompt: '/builtin-header' }] },
  'doom-overlay': { steps: [{ prompt: '/doom-overlay' }] },
  'dynamic-resources': { steps: [hello, { prompt: '/skill:dynamic-resources now' }, { prompt: '/dynamic' }] },
  'entry-renderer': { steps: [{ prompt: '/status-card All is well' }, { prompt: '/status-card' }, hello] },
  'event-bus': { steps: [{ prompt: '/emit hi' }, { prompt: '/emit' }] },
  'github-issue-autocomplete': { git: true, steps: [hello] },
  handoff: { steps: [{ prompt: '/handoff' }, hello, { prompt: '/handoff the goal', model: ['A prompt.'] }], answers: { keys: [[]] } }, // prettier-ignore
  'hidden-thinking-label': { steps: [{ prompt: '/thinking-label Hm' }, { prompt: '/thinking-label' }, hello] },
  'mac-system-theme': { steps: [hello] },
  'message-renderer': { steps: [{ prompt: '/status fine' }, { prompt: '/status warn careful' }, { prompt: '/status error' }, hello] }, // prettier-ignore
  'modal-editor': { steps: [hello] },
  'model-status': { steps: [hello, { model: 'second-model' }, hello] },
  notify: { steps: [hello] },
  'overlay-qa-tests': {
    steps: ['animation', 'anchors', 'margins', 'stack', 'overflow', 'edge', 'percent', 'maxheight', 'sidepanel', 'toggle'].map((name) => ({ prompt: `/overlay-${name}` })), // prettier-ignore
    answers: { keys: [[escape]] },
  },
  'overlay-test': { steps: [{ prompt: '/overlay-test' }, { prompt: '/overlay-test' }], answers: { keys: [[down, down, '\r'], [escape]] } }, // prettier-ignore
  'plan-mode': {
    steps: [
      hello,
      { prompt: '/plan' },
      { prompt: 'Make a plan', model: [{ calls: [{ name: 'bash', arguments: { command: 'touch no.txt' } }] }, 'Plan:\n1. Read the notes file\n2. Write the answer file\n', 'Step one [DONE:1]', 'All [DONE:1] [DONE:2]'] }, // prettier-ignore
      { prompt: '/todos' },
      { prompt: 'Go on', model: ['Finished [DONE:2]'] },
      { key: 'ctrl+alt+p' },
      { prompt: '/todos' },
    ],
    answers: { select: ['Execute', 'Stay'] },
  },
  preset: {
    files: { '.pi/presets.json': JSON.stringify({ brief: { tools: ['read', 'nothing'], instructions: 'Be brief.', thinkingLevel: 'low' }, other: { provider: 'mock', model: 'second-model' } }) }, // prettier-ignore
    steps: [{ prompt: '/preset brief' }, hello, { prompt: '/preset none' }, { prompt: '/preset' }, hello, { key: 'ctrl+shift+u' }, hello], // prettier-ignore
    answers: { keys: [[down, '\r']] },
  },
  qna: { steps: [{ prompt: '/qna' }, { prompt: 'Hello', model: ['Which colour? Which size?'] }, { prompt: '/qna', model: ['Q: Which colour?\nA: '] }], answers: { keys: [[]] } }, // prettier-ignore
  'rainbow-editor': { steps: [hello] },
  'rpc-demo': {
    steps: [
      { prompt: 'Run', model: [{ calls: [{ name: 'bash', arguments: { command: 'rm -rf gone' } }] }, bash, 'Done.'] },
      { prompt: '/rpc-input' },
      { prompt: '/rpc-editor' },
      { prompt: '/rpc-prefill' },
      { session: 'new' },
    ],
    answers: { select: ['Block'], confirm: [false] },
  },
  'send-user-message': { steps: [{ prompt: '/ask' }, { prompt: '/ask What?' }, { prompt: '/steer Left' }, { prompt: '/followup Then' }, { prompt: '/askwith Parts' }] }, // prettier-ignore
  'session-name': { steps: [{ prompt: '/session-name' }, { prompt: '/session-name My work' }, { prompt: '/session-name' }] }, // prettier-ignore
  snake: { fixedRandom: true, steps: [{ prompt: '/snake' }], answers: { keys: [[escape]] } },
  'space-invaders': { fixedRandom: true, steps: [{ prompt: '/invaders' }], answers: { keys: [[escape]] } },
  'status-line': { steps: [hello, { prompt: 'Run', model: [bash, 'Done.'] }] },
  summarize: { steps: [{ prompt: '/summarize' }, hello, { prompt: '/summarize' }] },
  'timed-confirm': { steps: [{ prompt: '/timed' }, { prompt: '/timed-select' }, { prompt: '/timed-signal' }], answers: { confirm: [true, false], select: [null] } }, // prettier-ignore
  'titlebar-spinner': { steps: [hello] },
  tools: { steps: [hello, { prompt: '/tools' }, hello], answers: { keys: [['\r', escape]] } },
  'widget-placement': { steps: [hello] },
  'working-indicator': { steps: [{ prompt: '/working-indicator' }, { prompt: '/working-indicator dot' }, { prompt: '/working-indicator odd' }, { prompt: '/working-indicator reset' }] }, // prettier-ignore
  'working-message-test': { steps: [hello] },
}
