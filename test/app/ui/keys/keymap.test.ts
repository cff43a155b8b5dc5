// Tests the table of actions and the key bindings.
import { describe, expect, it } from 'vitest'
import { actionNames, actions } from '../../../../app/ui/keys/actions.ts'
import { parseKeyName } from '../../../../app/ui/keys/key-name.ts'
import { describeClash, keysOf, makeKeymap } from '../../../../app/ui/keys/keymap.ts'
import { pairWithinMs, pressKey } from '../../../../app/ui/keys/press-key.ts'
import type { KeyState } from '../../../../app/ui/keys/press-key.ts'

describe('the table of actions', () => {
  it('assigns no key to two actions of a group', () => {
    expect(makeKeymap().clashes).toEqual([])
  })

  it('names each key like readKeys does', () => {
    const keys = actionNames.flatMap((name) => actions[name].keys)
    expect(keys.map((key) => parseKeyName(key))).toEqual(keys.map((name) => ({ ok: true, name })))
  })
})

describe('makeKeymap', () => {
  it('replaces the default keys of an action by the keys of the user', () => {
    const keymap = makeKeymap({ externalEditor: ['ctrl+x'] })
    expect(keymap.main.get('ctrl+x')).toBe('externalEditor')
    expect(keymap.main.get('ctrl+g')).toBeUndefined()
    expect(keysOf(keymap, 'externalEditor')).toEqual(['ctrl+x'])
  })

  it('removes all keys of an action for an empty list', () => {
    expect(keysOf(makeKeymap({ suspend: [] }), 'suspend')).toEqual([])
  })

  it('prefers a key of the user over a default, and names the action that lost it', () => {
    const { main, clashes } = makeKeymap({ undo: ['ctrl+z'] })
    expect(main.get('ctrl+z')).toBe('undo')
    expect(clashes).toEqual([{ key: 'ctrl+z', winner: 'undo', loser: 'suspend', bothBound: false }])
    expect(clashes.map(describeClash)).toEqual(['ctrl+z now runs undo, no longer suspend'])
  })

  it('reports a key that the user assigned twice', () => {
    const { main, clashes } = makeKeymap({ undo: ['ctrl+x'], submit: ['ctrl+x', 'enter'] })
    expect(main.get('ctrl+x')).toBe('submit')
    expect(clashes.map(describeClash)).toEqual(['ctrl+x is bound to both submit and undo; it runs submit'])
  })

  it('separates the groups', () => {
    const { main, list, clashes } = makeKeymap({ listAccept: ['ctrl+g'] })
    expect([main.get('ctrl+g'), list.get('ctrl+g')]).toEqual(['externalEditor', 'listAccept'])
    expect(clashes).toEqual([])
  })
})

describe('keyName', () => {
  it.each([
    ['Ctrl+G', 'ctrl+g'],
    ['shift+CTRL+left', 'ctrl+shift+left'],
    ['meta+Return', 'alt+enter'],
    ['control++', 'ctrl++'],
    ['esc esc', 'escape escape'],
    [' ctrl+c   ctrl+c ', 'ctrl+c ctrl+c'],
    ['alt+pgup', 'alt+pageup'],
    ['alt+ж', 'alt+ж'],
  ])('reads %j as %j', (written, name) => {
    expect(parseKeyName(written)).toEqual({ ok: true, name })
  })

  it.each([
    ['a', 'it types a character'],
    ['shift+a', 'it types a character'],
    ['space', 'it types a character'],
    ['ctrl+foo', 'the keys with names are up, down'],
    ['hyper+a', '"hyper" is not one of ctrl, alt, shift, super'],
    ['ctrl+', 'it types a character'],
    ['a b c', 'at most two keys'],
    ['', 'the keys with names are'],
  ])('rejects %j', (written, reason) => {
    const read = parseKeyName(written)
    expect(read.ok ? read.name : read.problem).toContain(reason)
  })
})

describe('pressKey', () => {
  const { main } = makeKeymap()
  const acted = (presses: readonly (readonly [string, number])[]) => {
    let state: KeyState = {}
    return presses.map(([name, at]) => {
      const pressed = pressKey(state, name, at, main)
      state = pressed.state
      return pressed.action
    })
  }

  it.each<readonly [string, readonly (readonly [string, number])[], readonly (string | undefined)[]]>([
    [
      'acts at once and finds the pair',
      [
        ['escape', 0],
        ['escape', 300],
      ],
      ['abort', 'tree'],
    ],
    [
      'finds it at the last millisecond',
      [
        ['ctrl+c', 5],
        ['ctrl+c', 5 + pairWithinMs],
      ],
      ['clear', 'leave'],
    ],
    [
      'finds no pair that came too slowly',
      [
        ['escape', 0],
        ['escape', pairWithinMs + 1],
      ],
      ['abort', 'abort'],
    ],
    [
      'finds no pair around another key',
      [
        ['escape', 0],
        ['left', 10],
        ['escape', 20],
      ],
      ['abort', 'moveLeft', 'abort'],
    ],
    [
      'starts no pair with the end of one',
      [
        ['escape', 0],
        ['escape', 1],
        ['escape', 2],
      ],
      ['abort', 'tree', 'abort'],
    ],
    ['does nothing for a key without an action', [['ctrl+]', 0]], [undefined]],
  ])('%s', (_, presses, expected) => {
    expect(acted(presses)).toEqual(expected)
  })
})
