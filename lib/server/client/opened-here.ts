// A server that was started anew has none of the sessions open that this client had opened: they are opened again as they were.
import { BoundedMap } from '../../streams/values/bounded-map.ts'
import type { Command, CommandNamed } from '../../streams/commands/command.ts'
import type { Client } from './client.ts'

export interface OpenedHere {
  /** Told of each command's result. */
  answered(command: Command, result: unknown): void
  /** Asks for all of them, in the order in which they were opened. Where one cannot be, whoever uses it is told why. */
  again(client: Client): void
}

/** The last of them that are remembered. */
const limit = 1_000

/** Remembers folder and environment of each: an attachment alone brings neither, and without them there are no keys. */
export function openedHere(): OpenedHere {
  const opened = new BoundedMap<string, CommandNamed<'open_session'>>(limit)
  return {
    answered: (command, result) => {
      if (command.type === 'delete_session') opened.delete(command.session)
      if (command.type !== 'new_session' && command.type !== 'open_session') return
      const { session } = result as { readonly session: string } // what the server answers both with
      const { cwd, env } = command
      opened.set(session, { type: 'open_session', session, cwd, ...(env === undefined ? {} : { env }) })
    },
    again: (client) => {
      for (const command of opened.values()) client.request(command).subscribe({ error: () => undefined }) // told to whoever uses it
    },
  }
}
