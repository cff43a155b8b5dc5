// Tests how the input of a terminal becomes key presses.
import { useInput, usePaste } from 'ink'
import { cleanup, render } from '../../../support/ink-screen.ts'
import type { ReactElement } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { readKeys } from '../../../../app/ui/keys/read-keys.ts'
import type { KeyPress } from '../../../../app/ui/keys/key-press.ts'

afterEach(cleanup)

function Listener({ heard }: { readonly heard: KeyPress[] }): ReactElement {
  useInput((input, key) => {
    heard.push(...readKeys(input, key))
  })
  usePaste((text) => {
    heard.push({ kind: 'paste', text })
  })
  return <></>
}

/** Sends pieces as a terminal does and returns the key presses that were read, after `count` presses. */
async function heardOf(pieces: readonly string[], count: number): Promise<string[]> {
  const heard: KeyPress[] = []
  const { stdin } = render(<Listener heard={heard} />)
  await new Promise((resolve) => setImmediate(resolve)) // effects have attached the listeners
  for (const piece of pieces) stdin.write(piece)
  await expect.poll(() => heard.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(count)
  return heard.map((press) => (press.kind === 'key' ? press.name : `${press.kind} ${JSON.stringify(press.text)}`))
}

describe('readKeys reads what terminals send', () => {
  it.each<readonly [string, readonly string[], readonly string[]]>([
    ['a letter', ['a'], ['text "a"']],
    ['a capital', ['A'], ['text "A"']],
    ['a wide character', ['你'], ['text "你"']],
    ['an emoji of several code points', ['👩‍👩‍👧'], ['text "👩‍👩‍👧"']],
    ['Enter', ['\r'], ['enter']],
    ['Alt-Enter', ['\u001b\r'], ['alt+enter']],
    ['Alt-Enter in two pieces', ['\u001b', '\r'], ['alt+enter']],
    ['Ctrl-J', ['\n'], ['ctrl+j']],
    ['Shift-Enter of kitty', ['\u001b[13;2u'], ['shift+enter']],
    ['Ctrl-Enter of kitty', ['\u001b[13;5u'], ['ctrl+enter']],
    ['Alt-Enter of kitty', ['\u001b[13;3u'], ['alt+enter']],
    ['Esc', ['\u001b'], ['escape']],
    ['Esc of kitty', ['\u001b[27u'], ['escape']],
    ['Esc Esc in one piece', ['\u001b\u001b'], ['escape', 'escape']],
    ['Alt-Esc of kitty', ['\u001b[27;3u'], ['alt+escape']],
    ['the release of a key', ['\u001b[97;1:3u', 'b'], ['text "b"']],
    ['Ctrl-G', ['\u0007'], ['ctrl+g']],
    ['Ctrl-G of kitty', ['\u001b[103;5u'], ['ctrl+g']],
    ['Ctrl-C', ['\u0003'], ['ctrl+c']],
    ['Ctrl-underscore, which Ctrl-/ sends too', ['\u001f'], ['ctrl+_']],
    ['Ctrl-Space', ['\u0000'], ['ctrl+space']],
    ['Alt-B', ['\u001bb'], ['alt+b']],
    ['Alt-Shift-B', ['\u001bB'], ['alt+shift+b']],
    ['Alt-Up', ['\u001b[1;3A'], ['alt+up']],
    ['Alt-Up of older terminals', ['\u001b\u001b[A'], ['alt+up']],
    ['Ctrl-Left', ['\u001b[1;5D'], ['ctrl+left']],
    ['Up in application mode', ['\u001bOA'], ['up']],
    ['Shift-Tab', ['\u001b[Z'], ['shift+tab']],
    ['Home and End', ['\u001b[H', '\u001b[4~'], ['home', 'end']],
    [
      'Backspace, Delete, Alt-Backspace',
      ['\u007f', '\u001b[3~', '\u001b\u007f'],
      ['backspace', 'delete', 'alt+backspace'],
    ],
    ['Backspace held down', ['\u007f\u007f'], ['backspace', 'backspace']],
    ['words and Backspace in one piece', ['ab\u007f'], ['text "ab"', 'backspace']],
    ['an arrow in two pieces', ['\u001b[', 'A'], ['up']],
    ['words and Enter in one piece', ['yes\r'], ['text "yes"', 'enter']],
    ['Enter held down', ['\r\r'], ['enter', 'enter']],
    ['words and Tab in one piece', ['/he\t'], ['text "/he"', 'tab']],
    ['Ctrl-A and words in one piece', ['\u0001ab'], ['ctrl+a', 'text "ab"']],
    ['lines in one piece, unmarked', ['one\rtwo'], ['paste "one\\rtwo"']],
    ['a paste', ['\u001b[200~one\rtwo\u001b[201~'], ['paste "one\\rtwo"']],
    ['a paste in pieces', ['\u001b[20', '0~one\r', 'two\u001b[2', '01~x'], ['paste "one\\rtwo"', 'text "x"']],
    ['keys inside a paste stay text', ['\u001b[200~\u0003\u001b[A\u001b[201~'], ['paste "\\u0003\\u001b[A"']],
    ['a focus report is no key', ['\u001b[I', 'c'], ['text "c"']],
  ])('%s', async (_, pieces, presses) => {
    expect(await heardOf(pieces, presses.length)).toEqual(presses)
  })
})
