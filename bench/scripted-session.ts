// A session on a real log whose model answers at full speed; the loop benchmarks share it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstValueFrom, lastValueFrom } from 'rxjs'
import { openSession } from '../lib/session/create/open-session.ts'
import type { Session } from '../lib/session/contract/session.ts'
import { fileStore } from '../lib/store/index.ts'
import { randomIds } from '../lib/streams/values/identifiers.ts'
import type { Provider } from '../lib/streams/ports/provider.ts'
import type { AnyTool } from '../lib/streams/ports/tool.ts'
import { benchModel as model } from './text-answer.ts'

export interface ScriptedSession {
  readonly provider: Provider
  readonly tools?: readonly AnyTool[]
}

/**
 * Opens a session on a file log in a folder of its own; after `use` it is synced and closed, and the folder removed.
 * `synced` resolves when everything is on the disk: until then a sync can run on the other core.
 */
export async function withSession<Result>(
  { provider, tools = [] }: ScriptedSession,
  use: (session: Session, synced: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const home = mkdtempSync(join(tmpdir(), 'rxpi-bench-session-'))
  try {
    const log = fileStore({ home }).create({ id: randomIds().session(), createdAt: Date.now(), cwd: home })
    const session = openSession({
      log,
      settings: () => ({ model, provider, tools, system: 'bench', thinkingLevel: 'off' }),
      tools: { cwd: home, env: {} },
      options: { approve: 'auto' },
    })
    const result = await use(session, () => firstValueFrom(log.durable(), { defaultValue: undefined }))
    await lastValueFrom(session.close(), { defaultValue: undefined })
    return result
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
