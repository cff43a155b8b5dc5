// Tests `wellFormedHistory`: one result follows each call, and only standard messages remain.
import { describe, expect, it } from 'vitest'
import { wellFormedHistory } from '../../../lib/providers/adapter/well-formed-history.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import { cpuMs } from '../../support/cpu-time.ts'
import { anAnswer, aResult, aUser } from './messages.ts'

/** The history in short: `u:text`, `a:text+id+id`, `r:id=text`. */
function shortly(messages: readonly Message[]): string[] {
  return wellFormedHistory(messages).map((message) => {
    if (message.role === 'user') return `u:${typeof message.content === 'string' ? message.content : 'parts'}`
    if (message.role === 'toolResult')
      return `r:${message.toolCallId}=${message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')}`
    return `a:${message.content.map((block) => (block.type === 'toolCall' ? block.id : block.type)).join('+')}`
  })
}

const missing = 'No result: the call was interrupted, or its result is no longer in the context.'

describe('wellFormedHistory', () => {
  it('returns a well-formed history unchanged', () => {
    const messages = [aUser('hi'), anAnswer('text', 'c1', 'c2'), aResult('c1'), aResult('c2'), anAnswer('text')]
    expect(wellFormedHistory(messages)).toEqual(messages)
  })

  it('moves results behind their answer, in call order, before user messages that arrived meanwhile', () => {
    expect(shortly([anAnswer('c1', 'c2'), aUser('stop'), aResult('c2'), aResult('c1')])).toEqual([
      'a:c1+c2',
      'r:c1=ok',
      'r:c2=ok',
      'u:stop',
    ])
  })

  it('adds a result to a call without one [LOOP-33a]', () => {
    expect(shortly([anAnswer('c1', 'c2'), aResult('c2'), aUser('go on')])).toEqual([
      'a:c1+c2',
      `r:c1=${missing}`,
      'r:c2=ok',
      'u:go on',
    ])
  })

  it('drops results without a call, and all but the first result of a call [LOOP-33a]', () => {
    expect(
      shortly([aResult('c0'), anAnswer('c1'), aResult('c9'), aResult('c1', 'first'), aResult('c1', 'second')]),
    ).toEqual(['a:c1', 'r:c1=first'])
  })

  it('matches a reused call id to the nearest answer before its result', () => {
    expect(shortly([anAnswer('c1'), aResult('c1', 'old'), anAnswer('c1'), aResult('c1', 'new')])).toEqual([
      'a:c1',
      'r:c1=old',
      'a:c1',
      'r:c1=new',
    ])
  })

  it.each([
    ['an error without content', anAnswer({ stopReason: 'error' }), []],
    ['an abort without content', anAnswer({ stopReason: 'aborted' }), []],
    ['an abort that had only begun to think', anAnswer({ stopReason: 'aborted' }, 'thinking'), []],
    ['an error with some text', anAnswer({ stopReason: 'error' }, 'text'), ['a:text']],
    ['an abort with a call', anAnswer({ stopReason: 'aborted' }, 'c1'), ['a:c1', `r:c1=${missing}`]],
    ['a finished thought', anAnswer('thinking'), ['a:thinking']],
    ['an empty answer', anAnswer(), []],
    ['an empty question', aUser(''), []],
  ])('converts %s [LOOP-33b]', (_, message, expected) => {
    expect(shortly([message])).toEqual(expected)
  })

  it('drops custom roles [MESSAGE-custom]', () => {
    const custom = { role: 'bashExecution', timestamp: 0 } as unknown as Message // a custom role
    expect(shortly([custom, aUser('hi'), custom])).toEqual(['u:hi'])
  })

  it('takes linear time', () => {
    const timed = (turns: number): number => {
      const messages = Array.from({ length: turns }, (_, n) => [anAnswer(`c${n}`), aResult(`c${n}`)]).flat()
      const before = cpuMs()
      wellFormedHistory(messages)
      return cpuMs() - before
    }
    timed(2000)
    const [long, short] = [20_000, 2_000].map((turns) => Math.min(timed(turns), timed(turns), timed(turns)))
    expect(long).toBeLessThan(Math.max(short ?? 0, 5) * 10 * 5)
  })
})
