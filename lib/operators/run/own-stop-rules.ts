// Makes stop rules of streams, and of other rules; each run has a state of its own.
import { Subject, defer, map, scan } from 'rxjs'
import type { Observable } from 'rxjs'
import type { FinishedTurn, StopRule } from '../../streams/ports/hooks.ts'

/**
 * A rule of a stream: `stopRule('twoErrors', (turn$) => turn$.pipe(scan(…), map(({ errors }) => errors >= 2)))`. Each run
 * subscribes it once, from its start to its end, so `scan` counts from zero in each run.
 *
 * The last value decides at the end of a turn that would go on: emit it in the call of the turn. Before the first value, and
 * after a completion, the last one counts; none is false. A failure ends the run as `error`. Buffers the last value.
 */
export function stopRule(
  name: string,
  project: (turn$: Observable<FinishedTurn>) => Observable<boolean>,
  { reason }: Pick<StopRule, 'reason'> = {},
): StopRule {
  const own = { name, ...(reason === undefined ? {} : { reason }) }
  return {
    ...own,
    matches: () => false, // a run asks the rule that `begin` returns
    begin: () => {
      const turn$ = new Subject<FinishedTurn>()
      let isMatch = false
      let failure: { readonly error: unknown } | undefined
      const watching = defer(() => project(turn$.asObservable())).subscribe({
        next: (value) => {
          isMatch = value
        },
        error: (error: unknown) => {
          failure = { error }
        },
      })
      return {
        ...own,
        matches: (turn) => {
          turn$.next(turn)
          if (failure !== undefined) throw failure.error
          return isMatch
        },
        end: () => watching.unsubscribe(),
      }
    },
  }
}

/** Matches if one of the rules does. Named by all of them; `budget_exceeded` if all are budgets. */
export function anyOf(...rules: readonly StopRule[]): StopRule {
  return combined(' or ', rules, (matches) => matches.includes(true))
}

/** Matches if all rules do, at the end of the same turn. Named by all of them; `budget_exceeded` if all are budgets. */
export function allOf(...rules: readonly StopRule[]): StopRule {
  return combined(' and ', rules, (matches) => matches.length > 0 && !matches.includes(false))
}

/** Every rule sees every turn, so that each can count. */
function combined(
  joint: string,
  rules: readonly StopRule[],
  decide: (matches: readonly boolean[]) => boolean,
): StopRule {
  const isBudget = rules.length > 0 && rules.every(({ reason }) => reason === 'budget_exceeded')
  return {
    name: rules.map(({ name }) => name).join(joint),
    ...(isBudget ? { reason: 'budget_exceeded' as const } : {}),
    matches: (turn) => decide(rules.map((rule) => rule.matches(turn))),
    cannotTell: (turn) => rules.map((rule) => rule.cannotTell?.(turn)).find((reason) => reason !== undefined),
    begin: () => combined(joint, rules.map(beginRule), decide),
    end: () => {
      for (const rule of rules) rule.end?.()
    },
  }
}

/** The rule for one run. */
export function beginRule(rule: StopRule): StopRule {
  return rule.begin?.() ?? rule
}

/** Ends the run when `times` (3) tool results in a row were errors, over its turns; with `tool`, those of this tool. */
export function toolFailed(times = 3, { tool }: { readonly tool?: string } = {}): StopRule {
  return stopRule('toolFailed', (turn$) =>
    turn$.pipe(
      scan((failures, { results }) => {
        const own = results.filter(({ toolName }) => tool === undefined || toolName === tool)
        return own.reduce<Failures>(countFailure(times), { ...failures, isReached: false })
      }, noFailures),
      map(({ isReached }) => isReached),
    ),
  )
}

interface Failures {
  readonly inRow: number
  readonly isReached: boolean
}

const noFailures: Failures = { inRow: 0, isReached: false }

function countFailure(times: number): (failures: Failures, result: { readonly isError: boolean }) => Failures {
  return ({ inRow, isReached }, { isError }) => {
    const next = isError ? inRow + 1 : 0
    return { inRow: next, isReached: isReached || next >= times }
  }
}
