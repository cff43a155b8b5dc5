// What stands behind `rxpi sessions`: an action that is there, one session or file, and --json.
import { resolve } from 'node:path'
import { wrong } from './command-options.ts'
import type { OptionValues } from './command-options.ts'
import type { SessionsInvocation } from './invocation.ts'

const actions = ['verify', 'repair'] as const
const laterActions = ['list', 'show', 'tree', 'branch', 'switch', 'export', 'import', 'replay', 'rm']

/** @param words what follows `sessions` @throws Failure `bad_request` */
export function sessionsInvocation({ json = false }: OptionValues, words: readonly string[]): SessionsInvocation {
  const [given = '', target, ...rest] = words
  const action = actions.find((name) => name === given)
  if (action === undefined) throw noAction(given)
  if (target === undefined || target === '') {
    throw wrong(`sessions ${action} needs a session's id or its log's file: rxpi sessions ${action} abcdefghij23`)
  }
  if (rest.length > 0) throw wrong(`sessions ${action} takes one session or file; "${rest[0] ?? ''}" is too much`)
  const isId = /^[a-z2-7]{12}$/.test(target)
  return { mode: 'sessions', action, target: isId ? { session: target } : { file: resolve(target) }, json }
}

function noAction(given: string): Error {
  if (laterActions.includes(given)) return wrong(`"rxpi sessions ${given}" is not there yet in this version`)
  return wrong(`sessions can ${actions.join(' and ')}, not "${given}"; see rxpi sessions --help`)
}
