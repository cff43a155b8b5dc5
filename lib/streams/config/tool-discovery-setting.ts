// Schema of the setting that leaves tools out of requests.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

/** When tools of extensions, clients and servers are left out of requests: percent of the model's window. */
export const ToolDiscoverySetting = Type.Union([
  Type.Number({ minimum: 0, maximum: 100 }),
  Type.Literal('always'),
  Type.Literal('never'),
])
export type ToolDiscoverySetting = Static<typeof ToolDiscoverySetting>
