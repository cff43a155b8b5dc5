// Tests the position of the terminal's cursor in the editor.
import { EventEmitter } from 'node:events'
import { Box, Text, render } from 'ink'
import type { ReactElement } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { Editor } from '../../../../app/ui/editor/editor.tsx'
import { unitsOf } from '../../../../app/ui/editor/unit.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

interface Drawn {
  readonly text: string
  readonly cursor?: number
  /** Lines above and below the editor. */
  readonly above: number
  readonly below: number
  readonly hasCursor?: boolean
}

/** Renders with Ink on a terminal of 40 columns that records its output. */
function drawn(first: Drawn) {
  const tree = ({ text, cursor, above, below, hasCursor = true }: Drawn): ReactElement => {
    const units = unitsOf(text)
    const lines = (count: number) => Array.from({ length: count }, (_, index) => <Text key={index}>line</Text>)
    return (
      <Box flexDirection="column">
        {lines(above)}
        <Editor
          buffer={{ units, cursor: cursor ?? units.length }}
          prompt="›"
          promptRole="accent"
          placeholder=""
          hasCursor={hasCursor}
          columns={40}
          rows={4}
        />
        {lines(below)}
      </Box>
    )
  }
  let written = ''
  const stdout = Object.assign(new EventEmitter(), {
    columns: 40,
    rows: 24,
    isTTY: true,
    writable: true,
    write: (text: string) => {
      written += text
      return true
    },
  }) as unknown as NodeJS.WriteStream // only the members that Ink uses
  const options = { stdout, interactive: true, patchConsole: false, exitOnCtrlC: false, maxFps: 1_000 }
  const instance = render(tree(first), options)
  ends.push(() => {
    instance.unmount()
    instance.cleanup()
  })
  return {
    show: (next: Drawn) => {
      written = ''
      instance.rerender(tree(next))
    },
    written: () => written,
    /**
     * Last cursor position: lines up from the end of the frame, and column from 0; undefined if the cursor was hidden.
     */
    place: () => {
      const [, up = '0', column] =
        Array.from(written.matchAll(/(?:\u001b\[(\d+)A)?\u001b\[(\d+)G\u001b\[\?25h/g)).at(-1) ?? []
      return column === undefined ? undefined : { up: Number(up), column: Number(column) - 1 }
    },
  }
}

const placed = (screen: ReturnType<typeof drawn>) => expect.poll(screen.place, { timeout: 10_000 })

describe('the cursor of the terminal', () => {
  it.each<readonly [string, Drawn, { up: number; column: number }]>([
    ['behind the text', { text: 'hello', above: 0, below: 0 }, { up: 1, column: 7 }],
    ['behind wide characters', { text: '你好', above: 1, below: 2 }, { up: 3, column: 6 }],
    ['inside the text', { text: 'a\nbcd', cursor: 3, above: 1, below: 1 }, { up: 2, column: 3 }],
    ['on a line that was wrapped', { text: `${'word '.repeat(8)}end`, above: 0, below: 1 }, { up: 2, column: 10 }],
    ['in what is scrolled', { text: '1\n2\n3\n4\n5\n6', cursor: 0, above: 2, below: 0 }, { up: 4, column: 2 }],
  ])('is %s', async (_, what, workspace) => {
    const screen = drawn({ text: 'x', above: what.above, below: what.below })
    await placed(screen).toBeDefined()
    screen.show(what)
    await placed(screen).toEqual(workspace)
  })

  it('is correct in the frame in which the rows above it grow', async () => {
    const screen = drawn({ text: 'hello', above: 1, below: 2 })
    await placed(screen).toBeDefined()
    screen.show({ text: 'hello', above: 9, below: 2 })
    await placed(screen).toEqual({ up: 3, column: 7 })
    screen.show({ text: 'hello', above: 2, below: 2 })
    await placed(screen).toEqual({ up: 3, column: 7 })
  })

  it('is hidden while another element has the focus', async () => {
    const screen = drawn({ text: 'hello', above: 1, below: 0 })
    await placed(screen).toBeDefined()
    screen.show({ text: 'hello!', above: 1, below: 0, hasCursor: false })
    await expect.poll(screen.written, { timeout: 10_000 }).toContain('!')
    expect(screen.place()).toBeUndefined()
  })
})
