// Tests the composer: hints, keys, sending and new lines.
import { cleanup } from '../../../support/ink-screen.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { esc, queued, composed } from './composer-scene.tsx'

afterEach(cleanup)

describe('Composer', () => {
  it('shows the placeholder if it is empty, else the text', async () => {
    const { frame, type } = composed()
    expect(frame()[1]).toBe('› / for commands, @ for files, ! for s…')
    await type(['hello'], frame, ['above', '› hello'])
  })

  it('sends at Enter and Alt-Enter, and empties the editor', async () => {
    const { sent, frame, type } = composed()
    await type(['one\r', 'two', `${esc}\r`], () => sent, ['steer: one', 'follow_up: two'])
    await expect.poll(() => frame()[1], { timeout: 10_000 }).toMatch(/^› \/ for/)
  })

  it('leaves the text in the editor if it cannot be sent', async () => {
    const { frame, show, type } = composed()
    show({ refuse: true })
    await type(['one\r'], frame, ['above', '› one'])
  })

  it('inserts a line end at Ctrl-J, Shift-Enter, and Enter after a backslash', async () => {
    const { frame, sent, type } = composed()
    await type(['a\n', `b${esc}[13;2u`, 'c\\', '\r', 'd'], frame, ['above', '› a', '  b', '  c', '  d'])
    expect(sent).toEqual([])
  })

  it('scrolls a text longer than its rows, and shows how much is hidden', async () => {
    const { frame, type } = composed()
    await type(
      ['1\n', '2\n', '3\n', '4\n', '5'].flatMap((piece) => [...(piece.match(/.|\n/g) ?? [])]),
      frame,
      ['above', '↑ 2', '  3', '  4', '  5'],
    )
    await type([`${esc}[A`, `${esc}[A`, `${esc}[A`, `${esc}[A`], frame, ['above', '› 1', '  2', '  3', '↓ 4'])
  })

  it('shows and deletes a long paste as one chip, and sends its full text', async () => {
    const { frame, sent, type } = composed()
    const lines = Array.from({ length: 124 }, (_, index) => `line ${index}`).join('\n')
    const paste = `${esc}[200~${lines.replaceAll('\n', '\r')}${esc}[201~`
    await type(['see ', [paste.slice(0, 3), paste.slice(3, 500), paste.slice(500)]], frame, [
      'above',
      '› see [paste #1: 124 lines]',
    ])
    await type(['\u007f', '\r'], () => sent, ['steer: see '])
    await type([paste, '\r'], () => sent, ['steer: see ', `steer: ${lines}`])
  })

  it('browses the history with the arrow keys', async () => {
    const { frame, type } = composed()
    await type(['newer\r', `${esc}[A`], frame, ['above', '› newer'])
    await type([`${esc}[A`], frame, ['above', '› earlier'])
    await type([`${esc}[B`], frame, ['above', '› newer'])
  })

  it('passes on actions that do not edit the text', async () => {
    const { actions, type } = composed()
    await type([`${esc}[1;3A`, '\u0007', '\u0014', `${esc}${esc}`], () => actions, [
      'queuedBefore',
      'outside',
      'toggleThinking',
      'abort',
      'tree',
    ])
  })

  it('empties the text at Ctrl-C, and leaves at the second', async () => {
    const { actions, frame, type } = composed()
    await type(['text', '\u0003'], () => frame()[2], '  Ctrl-C again leaves')
    expect(frame()[1]).toMatch(/^› \/ for/)
    await type(['\u0003'], () => actions, ['leave'])
  })

  it.each([
    ['a letter', ['x']],
    ['a paste', [`${esc}[200~pasted${esc}[201~`]],
  ])('finds no pair of keys around %s', async (_, between) => {
    const { actions, frame, type } = composed()
    await type(['\u0003', ...between, '\u0003'], () => frame()[2], '  Ctrl-C again leaves')
    await type([`${esc}[27u`, ...between, `${esc}[27u`, 'end'], () => frame()[1]?.endsWith('end'), true)
    expect(actions.filter((action) => action !== 'abort')).toEqual([])
  })

  it('removes the hint when the second Ctrl-C no longer leaves', async () => {
    const { frame, type } = composed()
    await type(['\u0003'], () => frame()[2], '  Ctrl-C again leaves')
    await type([], () => frame().join().includes('again leaves'), false)
  })

  it('stops the run at Ctrl-C and keeps the text, and leaves at the second [KEYS-ctrlc]', async () => {
    const { actions, frame, show, type } = composed()
    show({ isRunning: true })
    await type(['text', '\u0003'], () => actions, ['abort'])
    expect(frame()[1]).toBe('› text')
    await type(['\u0003'], () => actions, ['abort', 'leave'])
  })

  it('leaves at Ctrl-C while the run is being stopped, however late', async () => {
    const { actions, show, type } = composed()
    show({ isRunning: true, isStopping: true })
    await type(['\u0003'], () => actions, ['leave'])
  })

  it('shows the keys at ? on an empty line, and types it elsewhere [SCREEN-keys]', async () => {
    const { actions, frame, type } = composed()
    await type(['?'], () => actions, ['showKeys'])
    await type(['a', '?'], () => frame()[1], '› a?')
    expect(actions).toEqual(['showKeys'])
  })

  it('searches the history at Ctrl-R, newest first, and puts the choice into the editor [SCREEN-history]', async () => {
    const { frame, sent, type } = composed()
    await type(['second\r'], () => sent, ['steer: second'])
    await type(['\u0012'], () => frame().slice(1, 4), ['History (2)', '› second', '  earlier'])
    await type(['earl'], () => frame().slice(1, 3), ['History (1/2): earl', '› earlier'])
    await type(['\r'], frame, ['above', '› earlier'])
    expect(sent).toEqual(['steer: second'])
  })

  it('keeps the text if nothing is chosen from the history', async () => {
    const { frame, type } = composed()
    await type(['ear', '\u0012'], () => frame()[1], 'History (1/1): ear')
    await type([`${esc}[27u`], () => frame()[1], 'History (1)')
    await type([`${esc}[27u`], frame, ['above', '› ear'])
  })

  it('stands between two rules [SCREEN-rules]', async () => {
    const { frame, show, type } = composed()
    show({ hasRules: true })
    await type(['text'], frame, ['above', '─'.repeat(39), '› text', '─'.repeat(39)])
  })

  it('leaves at Ctrl-D if it is empty, else deletes to the right', async () => {
    const { actions, frame, type } = composed()
    await type(['ab', `${esc}[D`, '\u0004'], frame, ['above', '› a'])
    await type(['\u0004'], frame, ['above', '› a'])
    expect(actions).toEqual([])
    await type(['\u007f', '\u0004'], () => actions, ['leave'])
  })

  it('does not leave at Ctrl-D while a queued input is edited', async () => {
    const { actions, frame, show, type } = composed()
    show({ queued: queued('a', 'x') })
    await type(['\u007f', '\u0004', 'y'], () => frame()[1], '↳ y')
    expect(actions).toEqual([])
  })

  it('inserts a returned input before the typed text', async () => {
    const { frame, show, type } = composed()
    await type(['mine'], frame, ['above', '› mine'])
    show({ drafts: [{ text: 'queued', revision: 1 }] })
    await type([], frame, ['above', '› queued', '  mine'])
  })

  it('ignores keys and draws nothing under an overlay, and keeps its text', async () => {
    const { frame, show, type } = composed()
    await type(['kept'], frame, ['above', '› kept'])
    show({ isActive: false })
    await type(['lost'], frame, ['above'])
    show({})
    await type([], frame, ['above', '› kept'])
  })
})

describe('editing a queued input', () => {
  it('replaces the typed text meanwhile and restores it afterwards', async () => {
    const { frame, show, type, actions } = composed()
    await type(['mine'], frame, ['above', '› mine'])
    show({ queued: queued('a', 'waits') })
    await type([], () => frame().slice(0, 2), ['above', '↳ waits'])
    await type(['!\r'], () => actions, ['is now "waits!"'])
    show({})
    await type([], frame, ['above', '› mine'])
  })

  it('leaves the input unchanged at Esc or without an edit, and removes it if it is emptied', async () => {
    const { frame, show, type, actions } = composed()
    show({ queued: queued('a', 'waits') })
    await type(['more', `${esc}[27u`], () => actions, ['as it was'])
    show({ queued: queued('b', 'other') })
    await type([], () => frame()[1], '↳ other')
    await type(['\r'], () => actions.length, 2)
    show({ queued: queued('c', 'last') })
    await type([], () => frame()[1], '↳ last')
    await type(['\u0015', '\r'], () => actions, ['as it was', 'as it was', 'is now ""'])
  })

  it('leaves the edited text in the editor if the input was sent meanwhile or cannot be changed', async () => {
    const { frame, show, type } = composed()
    await type(['mine'], frame, ['above', '› mine'])
    show({ queued: queued('a', 'waits'), refuse: true })
    await type(['!\r'], () => frame()[1], '↳ waits!')
    show({})
    await type([], frame, ['above', '› waits!', '  mine'])
  })

  it('keeps an edit when the user moves to another queued input', async () => {
    const { frame, show, type, actions } = composed()
    show({ queued: queued('b', 'second') })
    await type(['!', `${esc}[1;3A`], () => actions, ['is now "second!"'])
    show({ queued: queued('a', 'first') })
    await type([`${esc}[1;3A`], () => actions, ['is now "second!"', 'queuedBefore'])
    expect(frame()[1]).toBe('↳ first')
  })
})
