// Tests the detection of the terminal's background and colours.
import { EventEmitter } from 'node:events'
import { lastValueFrom } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { askBackground, backgroundIn, coloursOf } from '../../../../app/ui/terminal/terminal-look.ts'

class Terminal extends EventEmitter {
  readonly put: string[] = []
  isPaused = false
  isRaw = false
  readonly answers: readonly string[]
  constructor(...answers: readonly string[]) {
    super()
    this.answers = answers
  }
  setRawMode(isRaw: boolean): void {
    this.isRaw = isRaw
  }
  pause(): void {
    this.isPaused = true
  }
  unshift(chunk: Buffer): void {
    this.put.push(chunk.toString())
  }
  write(): void {
    for (const answer of this.answers) this.emit('data', Buffer.from(answer))
  }
}

async function requests(...answers: readonly string[]) {
  const terminal = new Terminal(...answers)
  const background = await lastValueFrom(askBackground(terminal, terminal, 20), { defaultValue: undefined })
  expect(terminal.isPaused).toBe(true)
  expect(terminal.isRaw).toBe(false)
  expect(terminal.listenerCount('data')).toBe(0)
  return { background, put: terminal.put.join('') }
}

const is = '\u001b[?62;22c'

describe('the background of a terminal', () => {
  it.each<[string, string[], 'dark' | 'light' | undefined]>([
    ['black', ['\u001b]11;rgb:0000/0000/0000\u0007', is], 'dark'],
    ['white', ['\u001b]11;rgb:ffff/ffff/ffff\u001b\\', is], 'light'],
    ['with two digits', ['\u001b]11;rgb:fd/f6/e3\u0007', is], 'light'],
    ['with an alpha channel', ['\u001b]11;rgba:0000/0000/0000/ffff\u0007', is], 'dark'],
    ['in pieces', ['\u001b]11;rgb:00', '00/0000/0000\u0007\u001b[?6', '2c'], 'dark'],
    ['undefined if only the device answers', [is], undefined],
    ['undefined if nothing answers', [], undefined],
  ])('is %s', async (_, answers, background) => {
    expect(await requests(...answers)).toEqual({ background, put: '' })
  })

  it('returns keys that were typed meanwhile', async () => {
    const { put } = await requests('he', `\u001b]11;rgb:00/00/00\u0007l`, `lo ü${is}`)
    expect(put).toBe('hello ü')
  })

  it.each([
    ['15;0', 'dark'],
    ['0;15', 'light'],
    ['0;default;7', 'light'],
    ['15;8', 'dark'],
    ['', undefined],
    ['what', undefined],
  ])('follows COLORFGBG: %j is %s', (COLORFGBG, background) => {
    expect(backgroundIn({ COLORFGBG })).toBe(background)
  })
})

describe('the colours of a terminal', () => {
  it.each<[Record<string, string>, string]>([
    [{ TERM: 'xterm-256color' }, 'many'],
    [{ TERM: 'xterm', COLORTERM: 'truecolor' }, 'many'],
    [{ TERM: 'linux' }, 'basic'],
    [{}, 'basic'],
    [{ TERM: 'xterm-256color', NO_COLOR: '1' }, 'none'],
    [{ TERM: 'xterm-256color', NO_COLOR: '' }, 'many'],
    [{ TERM: 'dumb' }, 'plain'],
  ])('with %j are %s', (variables, colours) => {
    expect(coloursOf(variables)).toBe(colours)
  })
})
