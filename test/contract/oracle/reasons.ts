// The reasons for differences: each names a case of docs/loop.md or a page of docs/decisions.

export interface Reason {
  /** `LOOP 24`, `docs/decisions/0005`. */
  readonly where: string
  readonly why: string
}

export const reasons = {
  noRequestAfterAbort: {
    where: 'LOOP 24, ≠ pi',
    why: 'After an abort, rxpi sends no request. pi sends one more, which its provider ends at once as an aborted message.',
  },
  noMessageBeforeTheFirstDelta: {
    where: 'docs/decisions/0034, ≠ pi',
    why: 'A message starts with its first delta, so an abort before that ends no message. pi adds an empty one.',
  },
  everyCallHasAResult: {
    where: 'LOOP 24, ≠ pi',
    why: 'After an abort, every call of the batch has a result. In pi, calls that were not prepared have none.',
  },
  abortedAtOnce: {
    where: 'LOOP 24, ≠ pi',
    why: 'An abort does not wait for a tool. Only a result within the grace time counts. pi waits and also accepts a throw.',
  },
  callsOfCutAnswers: {
    where: 'docs/decisions/0005, ≠ pi',
    why: 'Calls in a failed or aborted answer get results, so every transcript is well formed. pi leaves them without.',
  },
  serialAlone: {
    where: 'LOOP 6, ≠ pi',
    why: 'A serial tool runs alone, the other calls of its batch in parallel. In pi the whole batch is sequential.',
  },
  startAfterPreparation: {
    where: 'docs/decisions/0007',
    why: 'The start of a call comes after its hook, with the arguments of the hook. In pi it comes before.',
  },
  sameCallWarning: {
    where: 'docs/decisions/0032',
    why: 'The third equal call in a row is a warning. pi does not check this.',
  },
  ownCallIds: {
    where: 'docs/decisions/0034, ≠ pi',
    why: 'Results match calls by id. A second call with the same id in one message gets its own id.',
  },
  continuesPastNothing: {
    where: 'docs/decisions/0030, ≠ pi',
    why: 'No request contains an answer that failed without content, so continue skips it. pi refuses.',
  },
  nothingOutput: {
    where: 'docs/decisions/0034, ≠ pi',
    why: 'An answer that failed without content stays empty. pi adds an empty text if a transform or a listener threw.',
  },
  listenersCannotHurt: {
    where: 'LOOP 30, ≠ pi',
    why: 'A throw in a listener is reported and changes nothing. In pi it ends the run as a failed answer.',
  },
} as const satisfies Record<string, Reason>

export type ReasonName = keyof typeof reasons
