// Tests the dialog of an approval: exact subject, danger, keys, patterns, and several at once.
// Over 250 lines: one scene around every answer of an approval.
import { stripVTControlCharacters } from 'node:util'
import { cleanup, render } from '../../../support/ink-screen.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Dialog } from '../../../../app/ui/dialogs/dialog.tsx'
import { ThemeContext } from '../../../../app/ui/hooks/use-theme.ts'
import { UiContext } from '../../../../app/ui/hooks/use-ui.ts'
import { Keyboard } from '../../../../app/ui/keys/keyboard.tsx'
import { settleMs } from '../../../../app/ui/keys/use-settled-keys.ts'
import { overlayRows } from '../../../../app/ui/screen/overlays.tsx'
import { createTheme } from '../../../../app/ui/theme/theme.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import type { View } from '../../../../app/ui/view/view.ts'
import type { EventNamed } from '../../../../lib/streams/events/event.ts'
import { fakeUi } from '../../../support/fake-ui.ts'

// the time in which the dialog ignores keys is virtual; Ink and React use real time
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

type Question = EventNamed<'question'>
const session = 'abcdefghij23'
const id = (letter: string): string => letter.repeat(26)
const build: Question = {
  type: 'question',
  requestId: id('a'),
  kind: 'approval',
  source: 'core',
  text: 'May bash run?',
  tool: 'bash',
  reason: 'It deletes a folder tree: build.',
  args: { command: 'rm -rf build\nmake' },
  choices: ['once', 'session', 'always', 'deny'],
  pattern: 'bash(make *)',
  class: 'recursive_delete',
  tier: 'critical',
}
const [enter, escape, down, backspace, home] = ['\r', '\u001b', '\u001b[B', '\u007f', '\u001b[H']

/** More than the real milliseconds in which Ink takes an escape for the start of a sequence. */
const escapeMs = 40

/** Resolves after React has finished its pending work. */
async function drawn(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
}

function requests(
  questions: readonly Partial<Question>[],
  { columns = 60, height = 24, colours = 'plain' as const } = {},
) {
  const open = questions.map((more, index) => ({ ...build, requestId: id('abcdefgh'[index] ?? 'z'), ...more }))
  const viewOf = (rest: readonly Question[]): View => ({
    ...emptyView(),
    session: { id: session, cwd: '/p', title: '' },
    questions: rest,
  })
  const { ui, requests: sent, notices } = fakeUi({ view: viewOf(open) })
  const screen = (rest: readonly Question[]) => (
    <UiContext value={ui}>
      <ThemeContext value={createTheme('dark', colours)}>
        <Keyboard>
          <Dialog view={viewOf(rest)} requestId={rest[0]?.requestId ?? ''} columns={columns} height={height} />
        </Keyboard>
      </ThemeContext>
    </UiContext>
  )
  const shown = render(screen(open))
  const frame = (): string => shown.lastFrame() ?? ''
  const text = (): string => stripVTControlCharacters(frame())
  const settle = async (): Promise<void> => {
    await drawn()
    vi.advanceTimersByTime(settleMs)
  }
  const type = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) {
      shown.stdin.write(key)
      // Ink waits for the rest of a sequence
      if (key === escape) await new Promise((resolve) => setTimeout(resolve, escapeMs))
      await drawn()
    }
  }
  const press = async (...keys: readonly string[]): Promise<void> => {
    await settle()
    await type(...keys)
  }
  const outcomes = () => sent.map((command) => (command.type === 'ui_response' ? command.outcome : command))
  const resolve = (...ids: readonly string[]): void => {
    shown.rerender(screen(open.filter(({ requestId }) => !ids.includes(requestId))))
  }
  return { text, frame, press, type, settle, sent, notices, outcomes, resolve }
}

describe('an approval', () => {
  it('shows source, danger in words, reason and the exact command [S20a, S20b]', () => {
    const { text } = requests([{}])
    expect(text()).toMatch(/^╔/)
    for (const words of [
      'APPROVAL — rxpi asks before this runs',
      '! critical: recursive delete',
      'bash: It deletes a folder tree: build.',
      '$ rm -rf build',
      '  make',
      '› No (n)',
      'No, and tell the model why (e)',
      'Yes, this once (y)',
      'Yes, for the rest of this session (s)',
      'Yes, always for bash(make *) (a)',
    ])
      expect(text()).toContain(words)
  })

  it.each<[string, readonly string[], unknown]>([
    ['no', ['n'], { choice: 'deny' }],
    ['no by Enter', [enter], { choice: 'deny' }],
    ['no by Esc', [escape], { choice: 'deny' }],
    ['once', ['y'], { choice: 'once' }],
    ['once by arrows', [down, down, enter], { choice: 'once' }],
    ['for this session', ['s'], { choice: 'session' }],
    ['always for the pattern', ['a', enter], { choice: 'always', pattern: 'bash(make *)' }],
    [
      'always for an edited pattern',
      ['a', backspace, backspace, 'test)', enter],
      { choice: 'always', pattern: 'bash(make test)' },
    ],
    [
      'always for a pattern edited at its start',
      ['a', home, '\u001b[3~', 'B', enter],
      { choice: 'always', pattern: 'Bash(make *)' },
    ],
    ['no with a word', ['e', 'use npm', enter], { choice: 'deny', text: 'use npm' }],
    ['no without the word', ['e', enter], { choice: 'deny' }],
    ['once after leaving the pattern', ['a', escape, 'y'], { choice: 'once' }],
  ])('is answered by keys: %s [APPROVE-keys]', async (_, keys, outcome) => {
    const { press, outcomes, notices } = requests([{}])
    await press(...keys)
    await vi.waitFor(() => expect(outcomes()).toEqual([outcome]), 10_000)
    expect(notices).toEqual([{ type: 'answered', requestId: id('a') }])
  })

  it('offers only the choices that apply', async () => {
    const { text, press, outcomes } = requests([{ choices: ['once', 'always', 'deny'], pattern: undefined } as object])
    expect(text()).not.toContain('(a)')
    expect(text()).not.toContain('(s)')
    await press('a', 's', 'y')
    expect(outcomes()).toEqual([{ choice: 'once' }])
  })

  it('ignores keys of its first 300 ms, and again when the next approval takes its place [S20c]', async () => {
    const { type, settle, outcomes, resolve, text } = requests([{}, { args: { command: 'make install' } }])
    await drawn()
    await type('y')
    vi.advanceTimersByTime(settleMs - 1)
    await type('y')
    expect(outcomes()).toEqual([])
    await settle()
    await type('y')
    expect(outcomes()).toEqual([{ choice: 'once' }])
    resolve(id('a'))
    await drawn()
    expect(text()).toContain('make install')
    await type('y')
    expect(outcomes().length).toBe(1)
    await settle()
    await type('n')
    expect(outcomes()).toEqual([{ choice: 'once' }, { choice: 'deny' }])
  })

  it('makes control and hidden characters visible, also in the pattern [S19a]', async () => {
    const evil = '\u001b[2K\u202e\u200b\u0007x'
    const { frame, press } = requests([
      { args: { command: `echo ${evil}` }, pattern: `bash(${evil})`, reason: evil, class: evil, text: evil },
    ])
    expect(frame()).not.toMatch(/[\u001b\u0007\u202e\u200b]/)
    expect(frame()).toContain('$ echo ␛[2K<U+202E><U+200B>␇x')
    await press('a')
    expect(frame()).not.toMatch(/[\u001b\u0007\u202e\u200b]/)
  })
})

describe('the change of a file', () => {
  const diff = '--- a/x.ts\n+++ b/x.ts\n@@ -3,2 +3,2 @@\n same\n-const a = 1\n+const a = 2\n'
  const edit = { tool: 'edit', reason: 'edit writes.', pattern: 'write(./src/**)' }

  it('is its diff with colours, line numbers and the name of the file [APPROVE-diff]', () => {
    const edits = [{ oldText: 'const a = 1', newText: 'const a = 2' }]
    const { text } = requests([{ ...edit, args: { path: 'src/x.ts', edits, dry: true }, diff }])
    for (const words of ['src/x.ts', '    4 − const a = 1', '    4 + const a = 2', '"dry": true'])
      expect(text()).toContain(words)
    expect(text()).not.toContain('oldText')
    const coloured = requests([{ ...edit, args: { path: 'src/x.ts', edits }, diff }], { colours: 'basic' as never })
    expect(coloured.frame()).toContain('\u001b[31m')
    expect(coloured.frame()).toContain('\u001b[32m')
  })

  it('is its new content or its edits if there is no diff [APPROVE-diff]', () => {
    const edits = [
      { oldText: 'one', newText: 'two' },
      { oldText: 'three', newText: '' },
    ]
    const shown = requests([{ ...edit, args: { path: 'a', edits } }]).text()
    for (const words of ['− one', '+ two', '⋮', '− three']) expect(shown).toContain(words)
    const written = requests([{ ...edit, args: { path: 'a', content: 'x\ny\n' } }]).text()
    for (const words of ['+ x', '+ y']) expect(written).toContain(words)
    const old = requests([{ ...edit, args: { path: 'a', oldText: 'one', newText: 'two', all: true } }]).text()
    for (const words of ['− one', '+ two', '"all": true']) expect(old).toContain(words)
    const odd = requests([
      { ...edit, args: { path: 'a', edits: [{ oldText: 'one', newText: 'two', extra: 1 }] } },
    ]).text()
    for (const words of ['"path": "a"', '"extra": 1']) expect(odd).toContain(words)
  })

  it('never loses the end of a long line [S20b]', () => {
    const long = `const a = '${'x'.repeat(200)}END'`
    const patch = `@@ -1,1 +1,1 @@\n-a\n+${long}\n`
    const { text } = requests([{ ...edit, args: { path: 'a', content: long }, diff: patch }])
    expect(text()).toContain("END'")
    expect(requests([{ ...edit, args: { path: 'a', content: 'x' }, diff: 'no hunks here' }]).text()).toContain(
      'no hunks',
    )
  })
})

describe('several approvals', () => {
  const commands = ['make a', 'make b', 'make c'].map((command) => ({ args: { command } }))

  it('are counted, and answered one by one [APPROVE-together]', async () => {
    const { text, press, sent } = requests(commands)
    expect(text()).toContain('APPROVAL — rxpi asks before this runs (1 of 3)')
    expect(text()).not.toContain('make b')
    await press('y')
    expect(sent).toEqual([{ type: 'ui_response', session, requestId: id('a'), outcome: { choice: 'once' } }])
  })

  it.each([
    ['y', 'once'],
    ['n', 'deny'],
  ])(
    'are answered together by %s, when all of them were shown for 300 ms [APPROVE-together, S20c]',
    async (key, choice) => {
      const { text, press, type, settle, sent } = requests(commands, { height: 40 })
      await press('t')
      for (const words of ['these 3 run', '$ make a', '$ make b', '$ make c', '› No to all (n)'])
        expect(text()).toContain(words)
      await type(key)
      expect(sent).toEqual([])
      await settle()
      await type(key)
      const answer = (letter: string) => ({ type: 'ui_response', session, requestId: id(letter), outcome: { choice } })
      expect(sent).toEqual([answer('a'), answer('b'), answer('c')])
    },
  )

  it('go back to one by one, and take in no question that came later [APPROVE-together]', async () => {
    const { text, press, sent, resolve } = requests(commands)
    resolve(id('c'))
    await press('t')
    resolve() // the third one comes back, as a new one would
    await drawn()
    expect(text()).not.toContain('make c')
    await press('y')
    expect(sent.length).toBe(2)
    await press(escape)
    expect(sent.length).toBe(2)
    expect(text()).toContain('(1 of 3)')
  })
})

describe('the size of an approval', () => {
  const command = Array.from({ length: 24 }, (_, index) => `echo ${index}`).join('\n')

  it.each([
    [80, 24, 0],
    [60, 20, 0],
    [60, 20, 5],
    [100, 40, 0],
  ])(
    'fits %i by %i cells beside a queue of %i rows, also while a text is typed [S20b, APPROVE-size]',
    async (...size) => {
      const [columns, rows, taken] = size
      const overlay = { name: 'dialog', requestId: id('a') } as const
      const height = overlayRows({ ...emptyView(), overlay }, rows, taken)
      const { text, press } = requests([{ args: { command } }, {}], { columns: columns - 1, height })
      const fits = (): void => {
        const lines = text().split('\n')
        expect(lines.length).toBeLessThanOrEqual(height)
        for (const line of lines) expect(line.length).toBeLessThan(columns)
        // the queue, an empty row, two rows of the conversation, the status row
        expect(lines.length + taken + 4).toBeLessThanOrEqual(rows)
      }
      fits()
      expect(text()).toMatch(/lines 1–\d+ of \d\d · PageUp, PageDown/)
      await press('a')
      fits()
      await press(escape, ...Array.from({ length: 14 }, () => '\u001b[6~'))
      expect(text()).toContain('echo 23')
    },
  )
})

describe('a question of an unknown kind', () => {
  it('shows its choices, and its text answers it if it has none', async () => {
    const form = requests([{ kind: 'plan', source: 'tool:plan', choices: ['go', 'stay'], args: undefined }])
    expect(form.text()).toMatch(/^┌/)
    expect(form.text()).toContain('The tool “plan” asks')
    await form.press(down, enter)
    expect(form.outcomes()).toEqual([{ choice: 'stay' }])
    const text = requests([{ kind: 'editor', source: 'lint', choices: undefined, args: undefined } as object])
    await text.press('hello', enter)
    expect(text.outcomes()).toEqual([{ choice: 'answer', text: 'hello' }])
    const left = requests([{ kind: 'plan', source: 'lint', choices: ['go'], args: undefined }])
    await left.press(escape)
    expect(left.outcomes()).toEqual([{ choice: 'cancel' }])
  })

  it('that calls itself an approval does not look like one [S20a]', () => {
    const { text } = requests([{ source: 'tool:evil' }])
    expect(text()).toMatch(/^┌/)
    expect(text()).toContain('The tool “evil” asks')
  })
})
