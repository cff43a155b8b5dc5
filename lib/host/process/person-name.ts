// Names the person of this process for an audit: the client that acts, and the user of the system.
import { userInfo } from 'node:os'

/** `ui (ada)`. @param client the name that the client gave itself. Default: `client` */
export function personName(client = 'client'): string {
  return `${client} (${userName()})`
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.geteuid?.() ?? 'unknown') // a user without an entry, as in some containers
  }
}
