// Asks the session for something and waits for the answer, as a function that returns at once does.
import { receiveMessageOnPort } from 'node:worker_threads'
import { Failure } from '../../../streams/values/failure.ts'
import type { LinkMessage, SyncAnswer, WorkerStart } from '../link/link-messages.ts'
import { failureOf, notPlain } from '../link/plain-data.ts'
import type { SyncRequests } from '../link/requests.ts'

/** Milliseconds to wait for a session that is busy. */
const longestWaitMs = 30_000

/** @throws Failure that the session threw, `bad_request` for what is no plain data, `timeout` after 30 s */
export type AskNow = <Name extends keyof SyncRequests>(name: Name, input: SyncRequests[Name]) => unknown

/** The worker stands still meanwhile, so that an endless loop of requests fills no queue. */
export function syncRequests({ port, answers, wake }: WorkerStart): AskNow {
  let lastId = 0
  return (name, input) => {
    const id = (lastId += 1)
    let before = Atomics.load(wake, 0)
    const request: LinkMessage = { kind: 'sync', id, name, input }
    try {
      port.postMessage(request)
    } catch (thrown) {
      throw notPlain(`What ${name} gets`, thrown)
    }
    for (;;) {
      const state = Atomics.wait(wake, 0, before, longestWaitMs)
      before = Atomics.load(wake, 0)
      const answer = answerFor(id, answers)
      if (answer?.failure !== undefined) throw failureOf(answer.failure)
      if (answer !== undefined) return answer.value
      if (state === 'timed-out') {
        throw new Failure('timeout', `The session did not answer ${name} within ${longestWaitMs / 1000} s`)
      }
    }
  }
}

/** Answers to requests that were given up are dropped. */
function answerFor(id: number, answers: WorkerStart['answers']): SyncAnswer | undefined {
  for (let next = receiveMessageOnPort(answers); next !== undefined; next = receiveMessageOnPort(answers)) {
    const answer = next.message as SyncAnswer // what the session sends
    if (answer.id === id) return answer
  }
  return undefined
}
