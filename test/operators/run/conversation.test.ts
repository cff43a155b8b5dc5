// Tests the conversation, which holds the transcript of a session.
import { describe, expect, it } from 'vitest'
import { conversation } from '../../../lib/operators/run/conversation.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import { assistant, toolResult, user } from '../../streams/events/samples.ts'

const note = { role: 'note', timestamp: 0 } as unknown as Message

function begun(history: readonly Message[] = []) {
  let count = 0
  return conversation({
    history,
    headEntryId: history.length === 0 ? null : 'old',
    nextEntryId: () => `entry ${++count}`,
  })
}

describe('conversation', () => {
  it('begins with its history, which it copies', () => {
    const history = [user('Hi')]
    const talk = begun(history)
    talk.append('a', assistant())
    expect([talk.messages.length, history.length]).toEqual([2, 1])
    expect(begun(history).headEntryId).toBe('old')
  })

  it('makes each appended message its head', () => {
    const talk = begun()
    expect(talk.headEntryId).toBeNull()
    const id = talk.nextEntryId()
    talk.append(id, user('Hi'))
    expect([talk.headEntryId, talk.messages]).toEqual([id, [user('Hi')]])
    expect(talk.nextEntryId()).not.toBe(id)
  })

  it('tells a model the same list while it holds nothing else', () => {
    const talk = begun([user('Hi')])
    talk.append('a', assistant())
    expect(talk.modelMessages).toBe(talk.messages)
  })

  it('tells a model everything but what it does not know, in order', () => {
    const talk = begun([user('one')])
    talk.append('a', note)
    talk.append('b', user('two'))
    talk.append('c', note)
    talk.append('d', toolResult())
    expect(talk.messages.map(({ role }) => role)).toEqual(['user', 'note', 'user', 'note', 'toolResult'])
    expect(talk.modelMessages).toEqual([user('one'), user('two'), toolResult()])
  })

  it('leaves out of its history what a model does not know', () => {
    const talk = begun([note, user('one')])
    talk.append('a', user('two'))
    expect(talk.modelMessages).toEqual([user('one'), user('two')])
    expect(talk.messages).toHaveLength(3)
  })
})
