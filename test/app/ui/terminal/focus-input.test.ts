// Tests that focus reports are taken out of the terminal's input.
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { focusInput } from '../../../../app/ui/terminal/focus-input.ts'

describe('focusInput', () => {
  it.each<[string, string, boolean[], string]>([
    ['is heard', '\u001b[O', [false], ''],
    ['is taken out of what is typed', 'a\u001b[Ib\u001b[Oc', [true, false], 'abc'],
    ['is nothing else', 'a\u001b[Ab\u001bO', [], 'a\u001b[Ab\u001bO'],
  ])('%s', (_, typed, reports, left) => {
    const notices: boolean[] = []
    const source = new PassThrough().setEncoding('utf8')
    const input = focusInput(source, (isFocused) => notices.push(isFocused))
    source.write(typed)
    expect(input.read()).toBe(left)
    expect(notices).toEqual(reports)
    expect(input.read()).toBeNull()
    source.destroy()
  })

  it.each<[string, readonly string[], boolean[], readonly string[]]>([
    ['a focus report in two reads', ['a\u001b[', 'Ob'], [false], ['a', 'b']],
    ['a focus report behind its Esc', ['\u001b', '[I'], [true], ['\u001b', '[I']],
    ['a key that begins like a report', ['\u001b[', 'A'], [], ['', '\u001b[A']],
    ['an answer that comes late', ['a\u001b]11;rgb:1e1e/1e1e/2e2e\u0007b'], [], ['ab']],
    ['a late answer in two reads', ['\u001b]11;rgb:1e', '1e/ffff/FFFF\u001b\\x'], [], ['', 'x']],
    ['a late answer that is cut in its end', ['\u001b]11;rgb:ffff/ffff/ffff\u001b', '\\x'], [], ['', 'x']],
    ['what only looked like an answer', ['\u001b]1', '? no'], [], ['', '\u001b]1? no']],
  ])('recognises a focus report in pieces: %s', (_, pieces, reports, left) => {
    const notices: boolean[] = []
    const source = new PassThrough().setEncoding('utf8')
    const input = focusInput(source, (isFocused) => notices.push(isFocused))
    const read = pieces.map((piece): unknown => {
      source.write(piece)
      return input.read()
    })
    expect(read).toEqual(left)
    expect(notices).toEqual(reports)
    source.destroy()
  })

  it('behaves like its source stream', () => {
    const source = new PassThrough()
    const input = focusInput(source, () => undefined)
    input.on('close', () => undefined)
    expect(source.listenerCount('close')).toBe(1)
    expect(input.readable).toBe(true)
    source.destroy()
  })
})
