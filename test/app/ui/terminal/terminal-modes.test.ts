// Tests raw mode and focus reports: on while the UI draws, and without reports while another program has the terminal.
import { EventEmitter } from 'node:events'
import { Observable } from 'rxjs'
import { expect, it } from 'vitest'
import { inTerminalModes, lendTerminal } from '../../../../app/ui/terminal/terminal-modes.ts'

it.each(['ends', 'fails'])(
  'reads no keys and has no focus reports while another program has the terminal, until it %s',
  async (how) => {
    const written: string[] = []
    const stdin = { pause: () => written.push('paused') }
    process.nextTick(() => written.push('no listener')) // a stream notices then that its listener was removed
    const lent = lendTerminal({ stdin, stdout: { write: (text) => written.push(text) } }, () => {
      written.push('theirs')
      return how === 'ends' ? Promise.resolve() : Promise.reject(new Error('no editor'))
    })
    if (how === 'ends') await lent
    else await expect(lent).rejects.toThrow('no editor')
    expect(written).toEqual(['\u001b[?1004l', 'no listener', 'paused', 'theirs', '\u001b[?1004h'])
  },
)

it.each([true, false])('sets raw mode and focus reports before the first frame, on a terminal: %s', (isTTY) => {
  const steps: unknown[] = []
  const stdin = { isTTY, setRawMode: (isRaw: boolean) => steps.push(isRaw) }
  const stdout = { write: (text: string) => steps.push(text) }
  const ends = new EventEmitter()
  const drawing$ = new Observable<never>(() => {
    steps.push('drawn')
    return () => steps.push('unmounted')
  })
  inTerminalModes(drawing$, { stdin, stdout }, ends).subscribe().unsubscribe()
  const all = [true, '\u001b[?1004h', 'drawn', 'unmounted', '\u001b[?1004l', false]
  expect(steps).toEqual(isTTY ? all : all.filter((step) => typeof step === 'string'))
  expect(ends.listenerCount('exit')).toBe(0)
})
