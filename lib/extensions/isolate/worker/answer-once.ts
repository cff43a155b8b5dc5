// Takes the first answer of a function of an extension: a value, a promise or a stream.
import { defer, from, of, take } from 'rxjs'
import type { Observable, ObservableInput } from 'rxjs'

const streamKeys = ['subscribe', 'then', 'getReader', Symbol.asyncIterator]

/** Emits at most once, and completes. Fails as the function throws or its promise or stream does. */
export function answerOnce(act: () => unknown): Observable<unknown> {
  return defer(() => {
    const answer = act()
    return isInput(answer) ? from(answer).pipe(take(1)) : of(answer)
  })
}

function isInput(answer: unknown): answer is ObservableInput<unknown> {
  return typeof answer === 'object' && answer !== null && streamKeys.some((key) => key in answer)
}
