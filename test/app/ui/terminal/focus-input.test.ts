import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { focusInput } from '../../../../app/ui/terminal/focus-input.ts'

describe('what a terminal reports of its focus', () => {
  it.each<[string, string, boolean[], string]>([
    ['is heard', '\u001b[O', [false], ''],
    ['is taken out of what is typed', 'a\u001b[Ib\u001b[Oc', [true, false], 'abc'],
    ['is nothing else', 'a\u001b[Ab\u001bO', [], 'a\u001b[Ab\u001bO'],
  ])('%s', (_, typed, reports, left) => {
    const told: boolean[] = []
    const source = new PassThrough().setEncoding('utf8')
    const input = focusInput(source, (isFocused) => told.push(isFocused))
    source.write(typed)
    expect(input.read()).toBe(left)
    expect(told).toEqual(reports)
    expect(input.read()).toBeNull()
    source.destroy()
  })

  it('leaves the input what it is', () => {
    const source = new PassThrough()
    const input = focusInput(source, () => undefined)
    input.on('close', () => undefined)
    expect(source.listenerCount('close')).toBe(1)
    expect(input.readable).toBe(true)
    source.destroy()
  })
})
