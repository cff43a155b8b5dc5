// Tests how the transcript is written above the frame.
import { describe, expect, it, vi } from 'vitest'
import { createTheme } from '../../../../app/ui/theme/theme.ts'
import { itemLines } from '../../../../app/ui/transcript/item-lines.ts'
import { createTranscriptWriter } from '../../../../app/ui/screen/transcript-writer.ts'
import { foldView } from '../../../../app/ui/view/fold-view.ts'
import type { ViewInput } from '../../../../app/ui/view/view-input.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import { answerEnds, piece, printed, textStarts } from '../view/view-scene.ts'
import { randomOf } from '../../../support/random-of.ts'
import { paper } from '../transcript/paper.ts'

const theme = createTheme('dark', 'plain')
const [columns, rows] = [40, 24]
const options = { columns: columns - 1, theme, showsThinking: false, isExpanded: false }

/** A writer with a paper terminal and a record of its writes. */
function scene({ isRead = false } = {}) {
  const page = paper(rows)
  const written: string[] = []
  let view = emptyView()
  const writer = createTranscriptWriter({
    view: () => view,
    write: (text) => {
      written.push(text)
      page.write(text)
    },
  })
  let size = columns
  const show = (): void => {
    writer.show({ columns: size, rows, theme, isRead, frame: page.frame })
  }
  const notices = (...inputs: readonly ViewInput[]): void => {
    view = inputs.reduce(foldView, view)
    show()
  }
  const resize = (next: number): void => {
    size = next
    show()
  }
  return { page, written, notices, show, resize, finished: () => view.finished }
}

function notice(text: string): ViewInput {
  return { type: 'notice', level: 'info', text }
}

const thousand = Array.from({ length: 1_000 }, (_, index) => notice(`item ${index}.`))

function itemsOn({ lines }: { lines(): string[] }): string[] {
  return lines().filter((line) => line.includes('item'))
}

describe('the finished part', () => {
  it('is written once and in order, also many items at once', async () => {
    const { notices, page } = scene()
    notices(...thousand.slice(0, 1))
    notices(...thousand.slice(1, 300))
    await vi.waitFor(() => expect(itemsOn(page).at(-1)).toContain('item 299.'), 10_000)
    notices(...thousand.slice(300, 301))
    expect(itemsOn(page)).toEqual(Array.from({ length: 301 }, (_, index) => `· item ${index}.`))
  })

  it('is written again from its end after the screen is erased', async () => {
    const { notices, page, written } = scene()
    notices(notice('first'))
    notices(...thousand)
    await vi.waitFor(() => expect(itemsOn(page).at(-1)).toContain('item 999.'), 10_000)
    written.length = 0
    notices({ type: 'redraw' })
    await vi.waitFor(() => expect(itemsOn({ lines: () => written }).at(-1)).toContain('item 999.'), 10_000)
    expect(written[0]?.startsWith('\u001b[2J\u001b[H\n· item 600.')).toBe(true)
  })

  it('waits while another program has the terminal', () => {
    const { notices, page, written } = scene()
    notices(textStarts(), piece('An answer', 0))
    written.length = 0
    notices({ type: 'lent', isLent: true }, notice('meanwhile'), piece(' goes on.', 9), answerEnds())
    expect(written).toEqual([])
    page.write('$ somebody else\n')
    notices({ type: 'lent', isLent: false })
    expect(page.lines()).toEqual(['', '● An answer', '$ somebody else', '', '● An answer goes on.', '', '· meanwhile'])
  })
})

describe('the live part', () => {
  it('is written from its first changed line', () => {
    const { notices, written } = scene()
    notices(textStarts(), piece('One line that is longer than forty cells are', 0))
    written.length = 0
    notices(piece(', and more', 44))
    expect(written).toEqual(['\u001b[1A\r\u001b[J  cells are, and more\n'])
  })

  it('is not written without a change', () => {
    const { notices, show, written } = scene()
    notices(textStarts(), piece('One', 0))
    written.length = 0
    show()
    notices({ type: 'focus', isFocused: false })
    expect(written).toEqual([])
  })

  it('is written for a screen reader only when it is finished', () => {
    const { notices, page } = scene({ isRead: true })
    notices(textStarts(), piece('One', 0))
    expect(page.lines()).toEqual([])
    notices(answerEnds({ type: 'text', text: 'One' }))
    expect(page.lines()).toEqual(['', '● One'])
  })

  it('is not written after a change of width until the screen is erased', () => {
    const { notices, resize, written } = scene()
    notices(textStarts(), piece('One line that is longer than thirty cells', 0))
    written.length = 0
    resize(30)
    notices(piece('.', 41))
    expect(written).toEqual([])
    notices({ type: 'redraw' })
    expect(written).toEqual(['\u001b[2J\u001b[H\n● One line that is longer\n  than thirty cells.\n'])
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('leaves no stale line while dialogs open and close below it (seed %i)', (seed) => {
    const random = randomOf(seed)
    const text = someMarkdown(random)
    const { notices, page, show, finished } = scene()
    notices(printed('go'), textStarts())
    for (let at = 0; at < text.length;) {
      const next = text.slice(at, at + 1 + Math.floor(random() * 60))
      notices(piece(next, at))
      at += next.length
      const act = random()
      if (act < 0.1) {
        notices({ type: 'overlay', overlay: { name: 'picker', picker: 'models' } })
        page.frame = 18
      } else if (act < 0.25) {
        notices({ type: 'overlay' })
        page.frame = act < 0.2 ? 3 : 9
      }
      show() // the UI also does this after each change of the frame
    }
    notices(answerEnds({ type: 'text', text }))
    expect(page.lines()).toEqual(
      finished()
        .flatMap((item) => itemLines(item, options))
        .map((line) => line.trimEnd()),
    )
  })

  it('is complete and in order after a dialog took its rows', () => {
    const { notices, page, show } = scene()
    const lines = Array.from({ length: 30 }, (_, index) => `    line ${index}.`)
    const text = `\`\`\`\n${lines.map((line) => line.trim()).join('\n')}\n\`\`\``
    notices(textStarts(), piece(text.slice(0, 100), 0))
    page.frame = 18
    show()
    notices(piece(text.slice(100, 150), 100))
    page.frame = 3
    show()
    notices(answerEnds({ type: 'text', text }))
    const shown = page.lines()
    expect(shown.slice(shown.lastIndexOf('●   line 0.') + 1)).toEqual(lines.slice(1))
  })
})

/** Paragraphs, lists, and code that is longer than the screen. */
function someMarkdown(random: () => number): string {
  const words = (count: number): string => Array.from({ length: count }, () => Math.floor(random() * 1e6)).join(' ')
  const blocks = Array.from({ length: 12 }, () => {
    const kind = random()
    if (kind < 0.4) return words(1 + Math.floor(random() * 60))
    if (kind < 0.7) return `- ${words(4)}\n- ${words(12)}\n  ${words(3)}`
    return `\`\`\`\n${Array.from({ length: Math.floor(random() * 60) }, () => words(3)).join('\n')}\n\`\`\``
  })
  return blocks.join('\n\n')
}
