// Checks a delta on either side of the proxy.
//
// Guarantees: an id of any length is accepted; the run gives a call whose id is too long an error result
// (docs/loop.md#8).
import type { AssistantDelta } from '../messages/delta.ts'
import { isRecord } from '../values/json.ts'
import { checkAssistantDelta } from './validators.ts'
import type { Checked } from '../schema/compiled-validator.ts'

export function checkProxyDelta(value: unknown): Checked<AssistantDelta> {
  const hasId = isRecord(value) && value['type'] === 'toolcall_start' && typeof value['id'] === 'string'
  return checkAssistantDelta(hasId ? { ...value, id: 'any' } : value)
}
