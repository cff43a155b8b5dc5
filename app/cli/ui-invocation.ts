// Turns the options of a run into those of the terminal UI, and refuses options that limit one run.
import { badRequest } from './command-options.ts'
import type { PrintInvocation, UiInvocation } from './invocation.ts'

/** The options that choose a session. @throws Failure `bad_request` naming an option that limits one run: it needs `-p` */
export function toUiInvocation({ choice, limits, timeoutMs, socket, resume }: PrintInvocation): UiInvocation {
  const limitOptions = { 'max-turns': limits.turns, 'max-usd': limits.usd, timeout: timeoutMs }
  for (const [name, value] of Object.entries(limitOptions))
    if (value !== undefined) throw badRequest(`--${name} limits one run: it needs -p and a prompt`)
  return { choice, ...(resume === undefined ? {} : { resume }), ...(socket === undefined ? {} : { socket }) }
}
