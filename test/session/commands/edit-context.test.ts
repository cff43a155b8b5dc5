// Tests context_edit and context_pin: what the next request has of an entry.
import { delay, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { contextMessages } from '../../../lib/streams/state/context-messages.ts'
import { messageText } from '../../../lib/streams/messages/message-text.ts'
import type { SessionCommand } from '../../../lib/session/contract/session.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { playSession } from '../../support/virtual-session.ts'
import type { SessionControl } from '../../support/virtual-session.ts'

type Edit = Partial<Extract<SessionCommand, { type: 'context_edit' }>>

/** A run with a tool, the command for the entry of `role` at 50, and a prompt at 100. */
function played(
  role: string,
  commandOf: (entryId: string) => SessionCommand,
  then: Record<number, (control: SessionControl) => void> = {},
) {
  return playSession({
    script: [{ text: 'Looking', toolCalls: [{ name: 'look' }] }, 'Found it', ...Array<string>(4).fill('More')],
    tools: [fakeTool('look', 'a secret')],
    prompt: 'Please look',
    options: { summariser: () => of('Short.') },
    at: {
      50: (control) => {
        const { entries } = control.session.state$.value
        const entry = [...entries.values()].findLast(({ message }) => message.role === role)
        control.send(commandOf(entry?.entryId ?? 'zzzzzzzz'))
      },
      ...then,
      100: ({ send }) => void send({ type: 'prompt', text: 'Next' }),
    },
  })
}
const edit = (fields: Edit) => (entryId: string) => ({ type: 'context_edit', entryId, ...fields }) as SessionCommand
const pin = (entryId: string) => ({ type: 'context_pin', entryId, pinned: true }) as SessionCommand

describe('context_edit', () => {
  it.each<[string, string, Edit, string[]]>([
    ['hides a message', 'user', { hide: true }, ['Looking', 'a secret', 'Found it', 'Next']],
    [
      'leaves a notice of a result',
      'toolResult',
      { hide: true },
      ['Please look', 'Looking', '[hidden by the user]', 'Found it', 'Next'],
    ],
    ['replaces an answer', 'assistant', { text: 'Lost it' }, ['Please look', 'Looking', 'a secret', 'Lost it', 'Next']],
    ['restores an entry', 'user', {}, ['Please look', 'Looking', 'a secret', 'Found it', 'Next']],
  ])('%s in the next request [COMMAND-context_edit, EVENT-compacted]', (_, role, fields, expected) => {
    const { requests, session, events } = played(role, edit(fields))
    expect(requests.at(-1)?.messages.map(messageText)).toEqual(expected)
    expect(session.state$.value.entries.size).toBe(6)
    expect(events.filter(({ type }) => type === 'context_edit')).toHaveLength(1)
  })

  it.each<[string, string, Edit]>([
    ['no such entry', 'custom', { hide: true }],
    ['both at once', 'user', { hide: true, text: 'x' }],
  ])('refuses %s', (_, role, fields) => {
    const { sent, events } = played(role, edit(fields))
    expect(sent[1]?.failure).toMatchObject({ code: 'bad_request' })
    expect(events.some(({ type }) => type === 'context_edit')).toBe(false)
  })

  it('refuses to hide an answer with calls', () => {
    const { sent } = played('user', () => ({ type: 'abort' }), {
      60: (control) => {
        const answer = [...control.session.state$.value.entries.values()].find(
          ({ message }) => message.role === 'assistant',
        )
        control.send({ type: 'context_edit', entryId: answer?.entryId ?? '', hide: true })
      },
    })
    expect(sent.find(({ command }) => command.type === 'context_edit')?.failure).toMatchObject({ code: 'bad_request' })
  })
})

describe('context_pin', () => {
  it('keeps a message through compactions, and no longer once it is unpinned [EVENT-context_pin]', () => {
    const { requests, session } = played('user', pin, {
      100: () => undefined,
      110: ({ send }) => void send({ type: 'prompt', text: `Next ${'x'.repeat(900)}` }),
      120: ({ send }) => void send({ type: 'prompt', text: `And ${'x'.repeat(900)}` }),
      130: ({ send }) => void send({ type: 'compact' }),
      140: ({ send }) => void send({ type: 'prompt', text: 'Last' }),
    })
    expect(session.state$.value.pins.size).toBe(1)
    const texts = requests.at(-1)?.messages.map(messageText)
    expect(texts?.[0]).toContain('Short.')
    expect(texts?.[1]).toBe('Please look')
    expect(texts?.at(-1)).toBe('Last')
  })

  it('is refused for a tool result', () => {
    expect(played('toolResult', pin).sent[1]?.failure).toMatchObject({ code: 'bad_request' })
  })
})

it.each([90, 110])('a message that is pinned at %d ms stays in a compaction from 100 to 150 ms', (pinnedAt) => {
  const long = (word: string): string => `${word} `.repeat(400)
  const { session } = playSession({
    script: [long('one'), long('two'), long('three')],
    prompt: 'First, which counts',
    options: { summariser: () => of('They counted.').pipe(delay(50)) },
    at: {
      20: ({ send }) => send({ type: 'prompt', text: 'Second' }),
      40: ({ send }) => send({ type: 'prompt', text: 'Third' }),
      100: ({ send }) => send({ type: 'compact' }),
      [pinnedAt]: (control) => control.send(pin([...control.session.state$.value.entries.keys()][0] ?? '')),
    },
  })
  const texts = contextMessages(session.state$.value).map(messageText)
  expect(texts[0]).toContain('They counted.')
  expect(texts).toContain('First, which counts')
})
