// Options that choose a session go with the terminal UI too; those that bound one run do not.
import { wrong } from './command-options.ts'
import type { PrintInvocation, UiInvocation } from './invocation.ts'

/** @throws Failure `bad_request` naming an option that only makes sense with `-p` */
export function uiInvocation({ choice, limits, timeoutMs, socket, resume }: PrintInvocation): UiInvocation {
  const given = { 'max-turns': limits.turns, 'max-usd': limits.usd, timeout: timeoutMs }
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) throw wrong(`--${name} bounds one run: it needs -p and a prompt`)
  }
  return { choice, ...(resume === undefined ? {} : { resume }), ...(socket === undefined ? {} : { socket }) }
}
