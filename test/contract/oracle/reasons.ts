// Why the two agents differ: each reason names the case of docs/loop.md that is marked ≠ pi, or the page of docs/decisions.

export interface Reason {
  /** `LOOP 24`, `docs/decisions/0005`. */
  readonly where: string
  readonly why: string
}

export const reasons = {
  noRequestAfterAbort: {
    where: 'LOOP 24, ≠ pi',
    why: 'After an abort no request is made; pi makes one more, which its provider ends at once as an aborted message.',
  },
  noMessageBeforeTheFirstDelta: {
    where: 'docs/decisions/0034, ≠ pi',
    why: 'A message starts with its first delta, so an abort before it has none to end; pi adds an empty one.',
  },
  everyCallHasAResult: {
    where: 'LOOP 24, ≠ pi',
    why: 'After an abort every call of the batch has a result; pi leaves out those that it had not prepared.',
  },
  abortedAtOnce: {
    where: 'LOOP 24, ≠ pi',
    why: 'An abort does not wait for a tool: only a result that a tool gives in its grace time counts. pi waits, and takes what is thrown as well.',
  },
  callsOfCutAnswers: {
    where: 'docs/decisions/0005, ≠ pi',
    why: 'Calls in an answer that failed or was aborted get results, so that every transcript is well formed; pi leaves them without.',
  },
  serialAlone: {
    where: 'LOOP 6, ≠ pi',
    why: 'A serial tool runs alone, and the others of its batch side by side; in pi it makes the whole batch sequential.',
  },
  startAfterPreparation: {
    where: 'docs/decisions/0007',
    why: 'A call’s start is told after its hook was asked, with the arguments that the hook left; pi tells it before.',
  },
  sameCallWarning: {
    where: 'docs/decisions/0032',
    why: 'The third identical call in a row is told as a warning; pi does not look for it.',
  },
  ownCallIds: {
    where: 'docs/decisions/0034, ≠ pi',
    why: 'Results are matched to calls by id: a second call with the same id in one message gets an id of its own.',
  },
  continuesPastNothing: {
    where: 'docs/decisions/0030, ≠ pi',
    why: 'An answer that failed before its first word is told to no model: continue looks past it. pi refuses.',
  },
  nothingSaid: {
    where: 'docs/decisions/0034, ≠ pi',
    why: 'An answer that failed before anything came has no content; pi writes an empty text into it where a transform failed or a listener threw.',
  },
  listenersCannotHurt: {
    where: 'LOOP 30, ≠ pi',
    why: 'What a listener throws is reported and hurts nobody; in pi it ends the run as a failed answer.',
  },
} as const satisfies Record<string, Reason>

export type ReasonName = keyof typeof reasons
