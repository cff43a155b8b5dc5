// Tests `loadBlobs`, which loads stored content when a request needs it.
import { of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { loadBlobs } from '../../../lib/operators/request/load-blobs.ts'
import type { LoadBlobsOptions } from '../../../lib/operators/request/load-blobs.ts'
import type { ContextTransform } from '../../../lib/streams/ports/agent-context.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { Message, UserContent } from '../../../lib/streams/messages/message.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { assistant, toolResult, user } from '../../streams/events/samples.ts'
import { contextOf } from '../context/context-samples.ts'

const blob = 'a'.repeat(64)
const named: UserContent = { type: 'image', mimeType: 'image/png', blob, bytes: 3 }
const whole: UserContent = { type: 'image', mimeType: 'image/png', data: 'AAAA' }
const a = contextOf([user([named]), assistant(), toolResult({ content: [named] })])
const b = { ...a, messages: [user([whole]), a.messages[1], toolResult({ content: [whole] })] }

interface LoaderOptions {
  readonly read?: () => string
  readonly lost?: LoadBlobsOptions['onMissing']
}
function createLoader({ read = () => 'AAAA', lost = () => expect.unreachable('nothing is lost') }: LoaderOptions = {}) {
  return loadBlobs({ blobs: { read }, onMissing: lost })
}
function transform(bring = createLoader()): ContextTransform {
  return bring(a.messages) ?? expect.unreachable('something is named')
}

describe('loadBlobs', () => {
  it('returns no operator for a context without references', () => {
    const messages = [user('words'), user([whole, { type: 'text', text: 'see' }]), assistant(), toolResult()]
    expect(createLoader()(messages)).toBeUndefined()
    expect(createLoader()([])).toBeUndefined()
  })

  it.each([
    ['stays open if the source never emits', '---', '---', '^'],
    ['completes with an empty source', '--|', '--|', '^-!'],
    ['passes one context on', '-a-|', '-b-|', '^--!'],
    ['passes every context on', '-a-a-|', '-b-b-|', '^----!'],
    ['finishes the current context when its source completes', '-(a|)', '-(b|)', '^!'],
    ['fails with its source', '-a-#', '-b-#', '^--!'],
  ])('%s', (_, marble, expected, subscription) => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold(marble, { a })
      expectObservable(source$.pipe(transform())).toBe(expected, { b })
      expectSubscriptions(source$.subscriptions).toBe(subscription)
    })
  })

  it('scans each message of a list once, also for the next run', () => {
    let looks = 0
    const counted = {
      ...user('words'),
      get content() {
        looks += 1
        return 'words'
      },
    }
    const messages: Message[] = [counted]
    for (let run = 0; run < 3; run++) {
      expect(createLoader()(messages)).toBeUndefined()
      messages.push(assistant())
    }
    expect(looks).toBe(1)
  })

  it('scans only new messages of a list, and a list with another end again', () => {
    const bring = createLoader()
    const messages = [user('words')]
    expect(bring(messages)).toBeUndefined()
    messages.push(user([named]))
    expect(bring(messages)).toBeDefined()
    messages.splice(0, 2, user('words'), user('more'))
    expect(bring(messages)).toBeUndefined()
    messages.length = 0
    expect(bring(messages)).toBeUndefined()
  })

  it('reads nothing after it was unsubscribed', () => {
    let reads = 0
    const count = (): string => {
      reads += 1
      return 'AAAA'
    }
    marbles(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const source$ = cold('-a---', { a })
      of(a)
        .pipe(transform(createLoader({ read: count })))
        .subscribe()
        .unsubscribe()
      expectObservable(source$.pipe(transform()), '^--!').toBe('-b-', { b })
      expectSubscriptions(source$.subscriptions).toBe('        ^--!')
      flush()
    })
    expect(reads).toBe(0)
  })

  it('reports lost content, and replaces it by a text', () => {
    const lost: unknown[] = []
    const bring = createLoader({
      read: () => {
        throw new Failure('storage', 'gone')
      },
      lost: (...emitted) => void lost.push(emitted),
    })
    const text: UserContent = { type: 'text', text: '[An image (image/png, 3 bytes) is lost]' }
    marbles(({ cold, expectObservable }) => {
      const b = { ...a, messages: [user([text]), a.messages[1], toolResult({ content: [text] })] }
      expectObservable(cold('-a---|', { a }).pipe(transform(bring))).toBe('-b---|', { b })
    })
    expect(lost).toEqual(
      [1, 2].map((): unknown[] => [{ blob, bytes: 3 }, expect.objectContaining({ message: 'gone' })]),
    )
  })
})
