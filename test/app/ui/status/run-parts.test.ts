// Tests the words of an active run in the status row.
import { describe, expect, it } from 'vitest'
import { makeKeymap } from '../../../../app/ui/keys/keymap.ts'
import { describeActivity, runParts } from '../../../../app/ui/status/run-parts.ts'
import { statusParts } from '../../../../app/ui/status/status-parts.ts'
import { newToolItem } from '../../../../app/ui/view/view-item.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import type { View } from '../../../../app/ui/view/view.ts'

const running: View = {
  ...emptyView(),
  connection: 'connected',
  model: 'openai/gpt-5',
  running: { since: 1_000 },
  live: [{ kind: 'text', id: 't', source: 'a', isFirst: true, hasGap: true }],
}
const queue: View['queue'] = [{ queueId: 'a', queue: 'steering', content: 'x' }]
const bash = newToolItem({ id: 'c', name: 'bash', block: 'e/0', state: 'running' })

function row(view: View, { columns = 200, keymap = makeKeymap() } = {}): string {
  const front = runParts(view, describeActivity(view), keymap, 13_900)
  return statusParts(view, undefined, columns, front)
    .map(({ text }) => text)
    .join(' · ')
}

describe('the status row of a compaction', () => {
  const { running: _, ...resting } = running
  const compacting = { since: 1_000, characters: 1_234, isOwn: true }
  it.each<[string, View, string]>([
    ['asked for', { ...resting, compacting }, '● Summarising 12 s · Esc stop · 1.2k characters · openai/gpt-5'],
    [
      'that begins',
      { ...resting, compacting: { ...compacting, characters: 0 } },
      '● Summarising 12 s · Esc stop · openai/gpt-5',
    ],
    ['that stops', { ...resting, compacting: { ...compacting, isStopping: true } }, '● Stopping 12 s · 1.2k'],
    ['in a run', { ...running, compacting }, '● Summarising earlier messages 12 s · Esc stop · Enter steer'],
  ])('%s', (_name, view, text) => {
    expect(row(view)).toContain(text)
  })
})

describe('the status row of a run', () => {
  it.each<[string, Partial<View>, string]>([
    ['state, seconds and keys', {}, '● Answering 12 s · Esc stop · Enter steer · Alt-Enter queue · openai/gpt-5'],
    ['the tool that runs', { live: [bash] }, '● Running bash 12 s'],
    ['how long the tool runs', { live: [{ ...bash, startedAt: 10_000 }] }, '● Running bash 3 s'],
    ['how long the run runs beside it', { live: [{ ...bash, startedAt: 10_000 }] }, ' · run 12 s'],
    ['how many tools run', { live: [bash, { ...bash, id: 'd' }] }, '● Running 2 tools 12 s'],
    ['how to edit what is queued', { queue }, 'Alt-Enter queue · Alt-Up edit'],
    ['that it stops', { running: { since: 1_000, isStopping: true } }, '● Stopping 12 s · Ctrl-C leave · openai'],
    ['no keys under a list', { overlay: { name: 'help' } }, '● Answering 12 s · openai/gpt-5'],
    [
      'the wait for another attempt',
      { retry: { attempt: 2, at: 17_000, reason: 'busy' } },
      '● Attempt 2 in 4 s: busy · Esc stop',
    ],
    ['no seconds if the start is unknown', { running: { since: 0 } }, '● Answering · Esc'],
    ['nothing without a run', { running: undefined } as object, 'openai/gpt-5'],
  ])('shows %s [SCREEN-row, PANEL-time]', (_, more, words) => {
    expect(row({ ...running, ...more })).toContain(words)
  })

  it('names the keys of the user', () => {
    expect(row(running, { keymap: makeKeymap({ abort: ['ctrl+x'], followUp: [] }) })).toContain(
      '12 s · Ctrl-X stop · Enter steer · openai',
    )
  })

  it('fits a narrow terminal, state and stop first', () => {
    expect(row(running, { columns: 78 })).toBe(
      '● Answering 12 s · Esc stop · Enter steer · Alt-Enter queue · openai/gpt-5',
    )
    expect(row(running, { columns: 60 })).toBe('● Answering 12 s · Esc stop · Enter steer · Alt-Enter queue')
    expect(row(running, { columns: 40 })).toBe('● Answering 12 s · Esc stop · gpt-5')
  })

  it.each<[number, object, string]>([
    [80, {}, '● Answering 12 s · Esc stop · Enter steer · Alt-Enter queue · claude-sonnet-4…'],
    [72, {}, '● Answering 12 s · Esc stop · Enter steer · Alt-Enter queue · claude-…'],
    [80, { queue }, '● Answering 12 s · Esc stop · Enter steer · Alt-Enter queue · Alt-Up edit'],
    [60, { live: [bash] }, '● Running bash 12 s · Esc stop · Enter steer · claude-sonn…'],
    [60, { live: [{ ...bash, name: 'x'.repeat(64) }] }, `● Running ${'x'.repeat(15)}… 12 s · Esc stop · Enter steer`],
    [
      60,
      { retry: { attempt: 2, at: 17_000, reason: 'busy '.repeat(20) } },
      '● Attempt 2 in 4 s: busy busy b… · Esc stop · Enter steer',
    ],
    [
      80,
      { retry: { attempt: 2, at: 17_000, reason: 'busy '.repeat(20) } },
      '● Attempt 2 in 4 s: busy busy busy … · Esc stop · Enter steer · Alt-Enter queue',
    ],
    [120, {}, ' · Alt-Enter queue · openrouter/anthropic/claude-sonnet-4-5-20250929'],
  ])('shortens a long model, tool or reason in %i cells, and no key [SCREEN-row]', (columns, more, words) => {
    const shown = row({ ...running, model: 'openrouter/anthropic/claude-sonnet-4-5-20250929', ...more }, { columns })
    expect(shown).toContain(words)
    expect(shown.length).toBeLessThanOrEqual(columns)
  })
})
