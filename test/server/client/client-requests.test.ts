// Tests the requests of a client: ids, responses in any order, cancellation and errors.
import type { Subscription } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { clientRequests } from '../../../lib/server/client/client-requests.ts'
import type { RequestOptions } from '../../../lib/server/client/client-requests.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'

/** Records the lines of requests, and the outcome of each: its result, `done`, or its failure's code and message. */
function scene() {
  const lines: unknown[] = []
  const requests = clientRequests((line) => lines.push(JSON.parse(line)))
  const ask = (type: string, options?: RequestOptions): { outcome: unknown[]; subscription: Subscription } => {
    const outcome: unknown[] = []
    const sentRequests = requests.request({ type }, options).subscribe({
      next: (result) => outcome.push(result),
      error: (error: unknown) => {
        const { code, message, data } = Failure.from(error)
        outcome.push({ code, message, data })
      },
      complete: () => outcome.push('done'),
    })
    return { outcome, subscription: sentRequests }
  }
  return { lines, requests, ask }
}
const answer = (id: string | null, result: object) => ({ v: 1, type: 'response', id, ok: true, result }) as const
const refusal = (id: string | null, error?: { code: string; message: string; data?: Record<string, unknown> }) =>
  ({ v: 1, type: 'response', id, ok: false, ...(error === undefined ? {} : { error }) }) as const

describe('the requests of a client', () => {
  it('have an id each, and are answered once, in any order', () => {
    const { lines, requests, ask } = scene()
    const [first, second] = [ask('ping'), ask('ping', { timeoutMs: 5, opId: 'o' })]
    requests.settle(answer('2', { n: 2 }))
    requests.settle(answer('1', { n: 1 }))
    requests.settle(answer('1', { n: 'again' }))
    expect(lines).toEqual([
      { v: 1, id: '1', type: 'ping' },
      { v: 1, id: '2', type: 'ping', timeoutMs: 5, opId: 'o' },
    ])
    expect([first.outcome, second.outcome]).toEqual([
      [{ n: 1 }, 'done'],
      [{ n: 2 }, 'done'],
    ])
  })

  it.each([
    [
      { code: 'busy', message: 'later', data: { n: 1 } },
      { code: 'busy', message: 'later', data: { n: 1 } },
    ],
    [
      { code: 'busy', message: 'later' },
      { code: 'busy', message: 'later', data: {} },
    ],
    [
      { code: 'too_hot', message: '39°', data: { n: 1 } },
      { code: 'internal', message: 'too_hot: 39°', data: { n: 1 } },
    ],
  ])('fail with the server’s failure: %j', (error, failure) => {
    const { requests, ask } = scene()
    const { outcome } = ask('ping')
    requests.settle(refusal('1', error))
    expect(outcome).toEqual([failure])
  })

  it('throw on a response without id: the server could not read a line', () => {
    const { requests, ask } = scene()
    const { outcome } = ask('ping')
    const unread = refusal(null, { code: 'bad_json', message: 'A line must be UTF-8' })
    expect(() => requests.settle(unread)).toThrow(expect.objectContaining({ code: 'bad_json' }) as Error)
    expect(() => requests.settle(refusal(null))).toThrow('The server gave no reason')
    expect(outcome).toEqual([])
  })

  it('ignore a response to a request that is not pending', () => {
    const { lines, requests, ask } = scene()
    const { outcome, subscription: sentRequests } = ask('ping')
    sentRequests.unsubscribe()
    requests.settle(answer('1', {}))
    requests.settle(refusal('7', { code: 'busy', message: 'later' }))
    expect(outcome).toEqual([])
    expect(lines.slice(1)).toEqual([{ v: 1, id: '2', type: 'cancel', target: '1' }])
  })

  it('are cancelled together if they are unanswered', () => {
    const { lines, requests, ask } = scene()
    for (const type of ['ping', 'doctor', 'server_status']) ask(type)
    requests.settle(answer('2', {}))
    requests.cancelAll()
    expect(lines.slice(3)).toEqual([
      { v: 1, id: '4', type: 'cancel', target: '1' },
      { v: 1, id: '5', type: 'cancel', target: '3' },
    ])
  })

  it('fail when the connection ends; later ones fail at once, and nothing more is sent', () => {
    const { lines, requests, ask } = scene()
    const waiting = ask('ping')
    requests.end(new Failure('disconnected', 'gone'))
    const late = ask('ping')
    for (const { subscription: sentRequests } of [waiting, late]) sentRequests.unsubscribe()
    const failure = { code: 'disconnected', message: 'gone', data: {} }
    expect([waiting.outcome, late.outcome, lines.length]).toEqual([[failure], [failure], 1])
  })
})

describe('a request of', () => {
  const limit = 16 * 1024 * 1024
  const frame = JSON.stringify({ v: 1, id: '1', type: 'steer', text: '' }).length
  it.each<[string, string, boolean]>([
    ['16 MiB', 'a'.repeat(limit - frame), true],
    ['one byte more', 'a'.repeat(limit - frame + 1), false],
    ['16 MiB of three bytes each', '€'.repeat(Math.floor((limit - frame) / 3)), true],
    ['one such character more', '€'.repeat(Math.floor((limit - frame) / 3) + 1), false],
  ])('%s is sent only if it fits the line limit', (_, text, isSent) => {
    const sizes: number[] = []
    const failures: unknown[] = []
    const requests = clientRequests((line) => sizes.push(line.length))
    const command = { type: 'steer', text }
    requests.request(command).subscribe({ error: (error: unknown) => failures.push(Failure.from(error).code) })
    expect([sizes.length, failures]).toEqual(isSent ? [1, []] : [0, ['message_too_large']])
  })
})
