// Tests the conversation, which holds the transcript of a session.
import { describe, expect, it } from 'vitest'
import { createConversation } from '../../../lib/operators/run/conversation.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import { assistant, toolResult, user } from '../../streams/events/samples.ts'

const note = { role: 'note', timestamp: 0 } as unknown as Message

function startConversation(history: readonly Message[] = []) {
  let count = 0
  return createConversation({
    history,
    headEntryId: history.length === 0 ? null : 'old',
    nextEntryId: () => `entry ${++count}`,
  })
}

describe('createConversation', () => {
  it('starts with a copy of its history', () => {
    const history = [user('Hi')]
    const talk = startConversation(history)
    talk.append('a', assistant())
    expect([talk.messages.length, history.length]).toEqual([2, 1])
    expect(startConversation(history).headEntryId).toBe('old')
  })

  it('moves the head to each appended message', () => {
    const talk = startConversation()
    expect(talk.headEntryId).toBeNull()
    const id = talk.nextEntryId()
    talk.append(id, user('Hi'))
    expect([talk.headEntryId, talk.messages]).toEqual([id, [user('Hi')]])
    expect(talk.nextEntryId()).not.toBe(id)
  })

  it('returns the same list for models while all messages are for models', () => {
    const talk = startConversation([user('Hi')])
    talk.append('a', assistant())
    expect(talk.modelMessages).toBe(talk.messages)
  })

  it('leaves out messages of other roles for models, in order', () => {
    const talk = startConversation([user('one')])
    talk.append('a', note)
    talk.append('b', user('two'))
    talk.append('c', note)
    talk.append('d', toolResult())
    expect(talk.messages.map(({ role }) => role)).toEqual(['user', 'note', 'user', 'note', 'toolResult'])
    expect(talk.modelMessages).toEqual([user('one'), user('two'), toolResult()])
  })

  it('leaves out messages of other roles in its history', () => {
    const talk = startConversation([note, user('one')])
    talk.append('a', user('two'))
    expect(talk.modelMessages).toEqual([user('one'), user('two')])
    expect(talk.messages).toHaveLength(3)
  })
})
