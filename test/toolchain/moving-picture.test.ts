// Tests the recording of a terminal: screens to SVG, and a command in tmux to screens.
import { describe, expect, it } from 'vitest'
import { cellWidth } from '../../app/ui/text/cell-width.ts'
import { movingPicture } from '../../scripts/pages/picture/moving-picture.ts'
import type { Frame } from '../../scripts/pages/picture/moving-picture.ts'
import { TerminalRecorder } from '../../scripts/pages/picture/terminal-recorder.ts'
import { hasTmux } from '../support/tmux.ts'

const usual = { duration: 1000, columns: 10, rows: 3, title: 'A & B', description: 'a < b' }

function draw(frames: readonly Frame[]): string {
  return movingPicture({ ...usual, frames }, cellWidth)
}

/** The texts that a renderer without animations shows, by row. */
function stillOf(picture: string): (string | undefined)[] {
  const rows = [...picture.matchAll(/^<svg y="(\d+)".*$/gm)]
  return rows.map(([strip]) => {
    const id = /<use href="#(\w+)" y="13"\/>/.exec(strip)?.[1]
    return new RegExp(`^(?:<defs>)?<g id="${id ?? ''}">(.*)</g>`, 'm').exec(picture)?.[1]?.replaceAll(/<[^>]*>/g, '')
  })
}

describe('the moving picture of a terminal', () => {
  it('draws each distinct line once', () => {
    const picture = draw([
      { at: 0, painted: 'one\ntwo\n' },
      { at: 100, painted: 'two\none\n' },
      { at: 200, painted: 'one\ntwo\n' },
    ])
    expect(picture.match(/>one</g)).toHaveLength(1)
    expect(picture.match(/>two</g)).toHaveLength(1)
  })

  it('has a step only for the lines that a frame changes', () => {
    const picture = draw([
      { at: 0, painted: 'same\na\n' },
      { at: 250, painted: 'same\nb\n' },
    ])
    expect(picture).toContain('@keyframes r1{0%{transform:translateY(-18px)}25%{transform:translateY(0px)}}')
    expect(picture).not.toContain('@keyframes r0')
  })

  it('shows the last screen without animation, and repeats itself with it', () => {
    const picture = draw([
      { at: 0, painted: 'first\nsame\ngone' },
      { at: 500, painted: 'last\nsame\n' },
    ])
    expect(stillOf(picture)).toEqual(['last', 'same', undefined])
    expect(picture).toContain('.m{animation:1s step-end infinite}')
    expect(picture).toContain('@media (prefers-reduced-motion:reduce){.m{animation:none!important}}')
  })

  it('moves the cursor and hides it', () => {
    const picture = draw([
      { at: 0, painted: 'a', cursor: { column: 1, row: 2 } },
      { at: 500, painted: 'a' },
    ])
    expect(picture).toContain('@keyframes cursor{0%{transform:translate(8.4px,36px)}50%{transform:scale(0)}}')
    expect(picture).toContain('<g transform="scale(0)" class="m"')
  })

  it('has a title and a description as text', () => {
    const picture = draw([{ at: 0, painted: 'a' }])
    expect(picture).toContain('role="img" aria-labelledby="t d"')
    expect(picture).toContain('<title id="t">A &amp; B</title>\n<desc id="d">a &lt; b</desc>')
  })
})

describe.skipIf(!hasTmux)('the recorder', { timeout: 20_000 }, () => {
  it('types key by key, waits for the command, and times keys and pauses as the scene says', async () => {
    using recorder = new TerminalRecorder({
      command: ['sh', '-c', `printf 'name? '; read n; printf '\\033[32mhello %s\\033[0m' "$n"; sleep 60`],
      folder: process.cwd(),
      columns: 20,
      rows: 3,
      clean: (painted) => painted.replaceAll('ada', 'eve'),
    })
    await recorder.until((screen) => screen.includes('name?'), 'a question')
    const begin = recorder.at
    await recorder.type('ada')
    recorder.hold(500)
    expect(recorder.at - begin).toBe(3 * 65 + 500)
    await recorder.press('Enter', 'hello')
    const lines = recorder.frames.map(({ painted }) => painted.replaceAll(/\u001b\[[\d;]*m/g, '').trimEnd())
    expect(lines).toEqual(expect.arrayContaining(['name?', 'name? a', 'name? ad', 'name? eve', 'name? eve\nhello eve']))
    expect(recorder.frames.at(-1)?.painted).toContain('\u001b[32m')
    const times = recorder.frames.map(({ at }) => at)
    expect(times).toEqual(times.toSorted((one, other) => one - other))
  })
})
