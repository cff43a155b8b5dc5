// Tests the question dialog: no accidental answer, complete content, no disguised text.
import { stripVTControlCharacters } from 'node:util'
import { cleanup, render } from '../../../support/ink-screen.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Keyboard } from '../../../../app/ui/keys/keyboard.tsx'
import type { EventNamed } from '../../../../lib/streams/events/event.ts'
import type { Picked } from '../../../../app/ui/dialogs/choices.ts'
import { questionContent } from '../../../../app/ui/dialogs/question-content.ts'
import { Question } from '../../../../app/ui/dialogs/question.tsx'
import type { OpenQuestion } from '../../../../app/ui/view/fold-questions.ts'
import { settleMs } from '../../../../app/ui/keys/use-settled-keys.ts'

// the time in which the dialog ignores keys is virtual; Ink and React use real time
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

type Request = EventNamed<'ui_request'>
const approval: Request = {
  type: 'ui_request',
  requestId: 'a'.repeat(26),
  kind: 'approval',
  source: 'core',
  text: 'May bash run?',
  tool: 'bash',
  reason: 'it may execute',
  args: { command: 'rm -rf build\nmake' },
  choices: ['once', 'deny'],
}
const [up, down, enter, escape, pageDown] = ['\u001b[A', '\u001b[B', '\r', '\u001b', '\u001b[6~']
const paste = (text: string): string => `\u001b[200~${text}\u001b[201~`

/** Resolves after React has finished its pending work. */
const drawn = () => new Promise((resolve) => setImmediate(resolve))

const requests = (more: Partial<Request> = {}, height = 24) => dialog({ ...approval, ...more }, height)

function dialog(question: OpenQuestion, height = 24) {
  const answers: unknown[][] = []
  const content = questionContent(question)
  const onPick = (picked: Picked): void => {
    if (picked.type === 'answer') answers.push([picked.outcome, ...(picked.text === undefined ? [] : [picked.text])])
  }
  const shown = render(
    <Keyboard>
      <Question content={content} columns={60} height={height} onPick={onPick} />
    </Keyboard>,
  )
  const text = (): string => stripVTControlCharacters(shown.lastFrame() ?? '')
  /** Presses keys after the time in which the dialog ignores them. */
  const press = async (...keys: string[]): Promise<void> => {
    await drawn()
    vi.advanceTimersByTime(settleMs)
    for (const key of keys) {
      const before = [text(), answers.length]
      shown.stdin.write(key)
      await vi.waitFor(() => expect([text(), answers.length]).not.toEqual(before), 10_000)
    }
  }
  return { answers, text, press, stdin: shown.stdin }
}

describe('an approval question', () => {
  it('shows the exact command, its source and reason, and Enter denies [S20a, S20b]', async () => {
    const { answers, text, press } = requests()
    expect(text()).toContain('APPROVAL — rxpi asks before this runs')
    expect(text()).toContain('$ rm -rf build')
    expect(text()).toContain('  make')
    expect(text()).toContain('bash: it may execute')
    expect(text()).toContain('› No (n)')
    await press(enter)
    expect(answers).toEqual([['deny']])
  })

  it('answers with the choice that an earlier key of the same chunk selected', async () => {
    const { answers, press } = requests()
    await press(`${down}${down}${enter}`)
    await vi.waitFor(() => expect(answers).toEqual([['once']]), { timeout: 10_000 })
  })

  it('shows the other arguments beside the command [S20b]', () => {
    const { text } = requests({ args: { command: 'make', timeoutMs: 9_000 } })
    expect(text()).toContain('$ make')
    expect(text()).toContain('"timeoutMs": 9000')
  })

  it('ignores keys of its first 300 ms [S20c]', async () => {
    const { answers, stdin, press } = requests()
    expect(settleMs).toBe(300)
    await drawn()
    stdin.write('y')
    vi.advanceTimersByTime(settleMs - 1)
    stdin.write(enter)
    await drawn()
    await press('y')
    expect(answers).toEqual([['once']])
  })

  it('ignores the rest of a word that is being typed when it opens [S20c]', async () => {
    const { answers, stdin, press } = requests()
    await drawn()
    for (const letter of 'anyway, yes') {
      stdin.write(letter)
      await drawn()
      vi.advanceTimersByTime(settleMs - 1)
    }
    stdin.write(enter)
    await drawn()
    expect(answers).toEqual([])
    await press('y')
    expect(answers).toEqual([['once']])
  })

  it('approves a selected choice, denies at Esc, and denies with a reason for the model', async () => {
    const setup = requests()
    await setup.press(down, down, enter)
    expect(setup.answers).toEqual([['once']])
    const refused = requests()
    await refused.press(escape)
    expect(refused.answers).toEqual([['deny']])
    const explained = requests()
    await explained.press(down, enter, 'use npm', enter)
    expect(explained.answers).toEqual([['deny', 'use npm']])
  })

  it('shows a long command in full, page by page [S20b]', async () => {
    const command = Array.from({ length: 40 }, (_, index) => `echo ${index}`).join('\n')
    const { text, press } = requests({ args: { command } }, 14)
    expect(text()).toContain('of 42 · PageUp, PageDown')
    expect(text()).not.toContain('echo 39')
    await press(...Array.from({ length: 6 }, () => pageDown))
    expect(text()).toContain('echo 39')
  })

  it('shows control and hidden characters as visible ones [S19a]', () => {
    const { text } = requests({ args: { command: 'echo \u001b[2K\u202eevil' } })
    expect(text()).not.toMatch(/[\u001b\u202e]/)
  })
})

describe('a question of a tool or an extension', () => {
  it('differs from an approval in frame and head, and names its source [S1a, S20a]', () => {
    const core = requests().text()
    const { text } = requests({ kind: 'confirm', source: 'tool:APPROVAL — rxpi asks', text: 'Run?', args: undefined })
    expect(text()).toContain('The tool “APPROVAL — rxpi asks” asks')
    expect([core[0], text()[0]]).toEqual(['╔', '┌'])
    expect(requests({ source: 'lint' }).text()).toContain('The extension “lint” asks')
  })

  it('selects its default, else no', async () => {
    const plain = requests({ kind: 'confirm', source: 'lint' })
    await plain.press(enter)
    const yes = requests({ kind: 'confirm', source: 'lint', default: true })
    await yes.press(enter)
    expect([plain.answers, yes.answers]).toEqual([[[false]], [[true]]])
  })

  it('ignores text of its first 300 ms if the answer is a text [S20c]', async () => {
    const { answers, stdin, press } = requests({ kind: 'input', source: 'lint', args: undefined })
    await drawn()
    stdin.write('typed for something else')
    vi.advanceTimersByTime(settleMs - 1)
    stdin.write(enter)
    await drawn()
    await press('mine', enter)
    expect(answers).toEqual([['mine']])
  })

  it('answers with one of its options, or a text', async () => {
    const select = requests({ kind: 'select', source: 'lint', options: ['red', 'blue'], args: undefined })
    await select.press(down, enter)
    const input = requests({ kind: 'input', source: 'lint', args: undefined })
    await input.press('hello', enter)
    const setup = requests({ kind: 'input', source: 'lint', args: undefined })
    await setup.press(escape)
    expect([select.answers, input.answers, setup.answers]).toEqual([[['blue']], [['hello']], [[null]]])
  })

  it('escapes the outcome at the end of its time [S19a]', () => {
    const { text } = requests({
      kind: 'select',
      source: 'lint',
      options: ['a'],
      default: 'a\u009b8m\u202eb',
      timeoutMs: 5_000,
    })
    expect(text()).toContain('then the answer is "a<U+009B>8m<U+202E>b"')
  })

  it('shows the remaining time and the outcome at its end', async () => {
    const { text } = requests({ timeoutMs: 5_000 })
    expect(text()).toContain('5 s left; then the answer is no')
    await vi.waitFor(() => expect(text()).toContain('3 s left'), 10_000) // each poll takes 50 virtual ms
  })
})

describe('a text that a person edits', () => {
  const steps = paste('\r\n3. Test\r\t4. Ship')

  it('is a plan with rows: Up and Down move in it, and a paste keeps its lines', async () => {
    const plan = { source: 'core', text: '1. Read\n2. Write', choices: ['accept', 'reject'] }
    const { answers, press } = dialog({ type: 'question', requestId: 'a', kind: 'plan', ...plan })
    await press('e', `${up}X`, `${down}Y`, steps, enter)
    expect(answers).toEqual([[{ choice: 'accept', text: '1. ReadX\n2. WriteY\n3. Test\n\t4. Ship' }]])
  })

  it('is else one line: the line ends of a paste become spaces', async () => {
    const { answers, press } = requests({ kind: 'input', source: 'lint', args: undefined })
    await press('one', `${up}two`, steps, enter)
    expect(answers).toEqual([['onetwo 3. Test 4. Ship']])
  })
})
