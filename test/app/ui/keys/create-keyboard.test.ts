// Tests that no key is lost, and that each key waits until the previous change is drawn.
import { describe, expect, it } from 'vitest'
import { createKeyboard } from '../../../../app/ui/keys/create-keyboard.ts'
import type { KeyPress } from '../../../../app/ui/keys/key-press.ts'

const key = (name: string): KeyPress => ({ kind: 'key', name })

function keyboard() {
  let isCurrent = true
  const heard: string[] = []
  const made = createKeyboard({ isCurrent: () => isCurrent, draw: () => heard.push('draw') })
  const listener = (who: string) => (press: KeyPress) => heard.push(press.kind === 'key' ? `${who} ${press.name}` : who)
  const draw = async (): Promise<void> => {
    made.drawn()
    await Promise.resolve()
  }
  return { ...made, heard, listener, draw, show: (current: boolean) => (isCurrent = current) }
}

describe('createKeyboard', () => {
  it('passes on the first key at once, and each later one after a drawing', async () => {
    const { press, listen, listener, heard, draw } = keyboard()
    listen(listener('a'))
    for (const name of ['1', '2', '3']) press(key(name))
    expect(heard).toEqual(['draw', 'a 1'])
    await draw()
    expect(heard).toEqual(['draw', 'a 1', 'draw', 'a 2'])
    await draw()
    await draw()
    expect(heard).toEqual(['draw', 'a 1', 'draw', 'a 2', 'draw', 'a 3'])
    press(key('4'))
    expect(heard.at(-1)).toBe('a 4')
  })

  it('passes keys to the latest listener, and buffers them without a listener', async () => {
    const { press, listen, listener, heard, draw } = keyboard()
    const leaves = [listen(listener('a')), listen(listener('b'))]
    press(key('1'))
    await draw()
    for (const leave of leaves) leave()
    press(key('2'))
    expect(heard).toEqual(['draw', 'b 1'])
    listen(listener('c'))
    await Promise.resolve()
    expect(heard.at(-1)).toBe('c 2')
  })

  it('buffers keys while the screen is not current', async () => {
    const { press, listen, listener, heard, draw, show } = keyboard()
    listen(listener('a'))
    show(false)
    press(key('1'))
    await draw()
    expect(heard).toEqual([])
    show(true)
    await draw()
    expect(heard).toEqual(['draw', 'a 1'])
  })

  it('repeats returned keys before the buffered ones', async () => {
    const { press, again, listen, listener, heard, draw } = keyboard()
    listen(listener('a'))
    for (const name of ['1', '3']) press(key(name))
    again([key('1'), key('2')])
    for (let drawings = 0; drawings < 4; drawings++) await draw()
    expect(heard.filter((what) => what !== 'draw')).toEqual(['a 1', 'a 1', 'a 2', 'a 3'])
  })

  it('takes again at most the number of keys that it queues', () => {
    const { again, listen, listener } = keyboard()
    expect(() => again(Array.from({ length: 300_000 }, () => key('x')))).not.toThrow()
    expect(() => listen(listener('a'))).not.toThrow()
  })

  it('continues after a listener throws', async () => {
    const { press, listen, heard, listener, draw } = keyboard()
    const leave = listen(() => {
      throw new Error('broken')
    })
    expect(() => {
      press(key('1'))
    }).toThrow('broken')
    leave()
    listen(listener('b'))
    press(key('2'))
    await draw()
    expect(heard).toEqual(['draw', 'draw', 'b 2'])
  })
})
