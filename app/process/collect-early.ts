// Limits the garbage of a server's process, which runs for weeks beside other programs.
import { setFlagsFromString } from 'node:v8'
import { memorySettings } from '../../lib/server/launch/memory-settings.ts'

/** Sets the V8 flags of lib/server/launch/memory-settings.ts. V8 reads them again at every collection. */
export function collectEarly(env: Readonly<Record<string, string | undefined>> = process.env): void {
  for (const { key, value } of memorySettings('v8', env)) setFlagsFromString(`${key}=${value}`)
}
