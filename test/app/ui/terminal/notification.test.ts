// Tests notifications and the modes of the terminal.
import { EventEmitter } from 'node:events'
import { NEVER } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { newsSince } from '../../../../app/ui/screen/use-attention.ts'
import { notification } from '../../../../app/ui/terminal/notification.ts'
import { inTerminalModes } from '../../../../app/ui/terminal/terminal-modes.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'

describe('a notification', () => {
  it.each<[string, Record<string, string>, string]>([
    ['a bell', { TERM: 'xterm' }, '\u0007'],
    ['a bell in tmux', { TERM_PROGRAM: 'WezTerm', TMUX: '/x' }, '\u0007'],
    ['OSC 9', { TERM_PROGRAM: 'WezTerm' }, '\u001b]9;It ended\u0007'],
    ['OSC 777', { TERM: 'foot' }, '\u001b]777;notify;rxpi;It ended\u0007'],
  ])('is %s', (_, terminal, sequence) => {
    expect(notification('It ended', terminal)).toBe(sequence)
  })

  it('escapes control sequences in its text [S19a]', () => {
    expect(notification('a\u0007\u001b]52;c;x\u0007b', { TERM: 'foot' })).toBe(
      '\u001b]777;notify;rxpi;a␇␛]52 c x␇b\u0007',
    )
  })
})

describe('newsSince', () => {
  const view = emptyView()
  const request = { type: 'ui_request', requestId: 'r1', kind: 'confirm', source: 'core', text: 'May I?' } as const
  const running = { ...view, running: { since: 1 } }

  it.each([
    ['that a run has ended', running, { ...view, endings: 1 }, 'rxpi: the run has ended'],
    ['that a run has ended with its server', running, view, 'rxpi: the run has ended'],
    ['of a run too short to be drawn', view, { ...view, endings: 1 }, 'rxpi: the run has ended'],
    ['nothing if the next run is active', running, { ...running, endings: 1 }, undefined],
    ['the text of a question', running, { ...running, requests: [request] }, 'rxpi asks: May I?'],
    ['nothing while it goes on', running, running, undefined],
    ['nothing twice', { ...running, requests: [request] }, { ...running, requests: [request] }, undefined],
    [
      'nothing of another session',
      running,
      { ...view, endings: 1, session: { id: 'x', cwd: '/', title: '' } },
      undefined,
    ],
  ])('is %s', (_, before, after, words) => {
    expect(newsSince(before, after)).toBe(words)
  })
})

describe('inTerminalModes', () => {
  it('resets the modes at the exit of the process', () => {
    const ends = new EventEmitter()
    const steps: unknown[] = []
    const stdin = { isTTY: true, setRawMode: (isRaw: boolean) => steps.push(isRaw) }
    const stdout = { write: (text: string) => steps.push(text) }
    const subscription = inTerminalModes(NEVER, { stdin, stdout }, ends).subscribe()
    ends.emit('exit')
    expect(steps).toEqual([true, '\u001b[?1004h', '\u001b[?1004l', false])
    subscription.unsubscribe()
    expect(ends.listenerCount('exit')).toBe(0)
  })
})
