// Sets V8 flags that keep the heap of a long-running server small.
import { setFlagsFromString } from 'node:v8'
import { memorySettings } from '../../lib/server/launch/memory-settings.ts'

/** Sets the V8 flags of lib/server/launch/memory-settings.ts. V8 reads them again at every collection. */
export function collectEarly(env: Readonly<Record<string, string | undefined>> = process.env): void {
  for (const { key, value } of memorySettings('v8', env)) setFlagsFromString(`${key}=${value}`)
}
