// The chapters of docs/conformance.md, in the order of the page.
import type { Chapter } from './chapter.ts'
import { answers } from './answers.ts'
import { bridges } from './bridges.ts'
import { editors } from './acp.ts'
import { context } from './context.ts'
import { firstWeek } from './first-week.ts'
import { loop } from './loop.ts'
import { mcpServers } from './mcp.ts'
import { policy } from './policy.ts'
import { protocol } from './protocol.ts'
import { sandbox } from './sandbox.ts'
import { security } from './security.ts'
import { tools } from './tools.ts'

export const chapters: readonly Chapter[] = [
  security,
  sandbox,
  policy,
  loop,
  context,
  answers,
  protocol,
  tools,
  mcpServers,
  bridges,
  editors,
  firstWeek,
]
