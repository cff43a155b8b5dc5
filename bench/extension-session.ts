// A session with extensions on a real log; the benchmarks of extensions share it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lastValueFrom } from 'rxjs'
import { createSession } from '../lib/session/create/create-session.ts'
import type { Session } from '../lib/session/contract/session.ts'
import type { ExtensionDefinition } from '../lib/extensions/index.ts'
import { fileStore } from '../lib/store/index.ts'
import type { Provider } from '../lib/streams/ports/provider.ts'
import type { AnyTool } from '../lib/streams/ports/tool.ts'
import { benchModel as model } from './text-answer.ts'

export interface ExtensionSession {
  readonly provider: Provider
  readonly extensions: readonly ExtensionDefinition[]
  readonly tools?: readonly AnyTool[]
}

/** Opens a session on a file log in a folder of its own; after `use` it is closed, and the folder removed. */
export async function withExtensionSession<Result>(
  { provider, extensions, tools }: ExtensionSession,
  use: (session: Session) => Promise<Result>,
): Promise<Result> {
  const home = mkdtempSync(join(tmpdir(), 'rxpi-bench-session-'))
  try {
    const session = createSession({
      ...{ model: { model, provider }, extensions, cwd: home, env: {}, system: 'bench', approve: 'auto' },
      ...(tools === undefined ? { settings: { tools: [] } } : { tools }), // those of the extensions alone
      store: fileStore({ home }),
    })
    const result = await use(session)
    await lastValueFrom(session.close(), { defaultValue: undefined })
    return result
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
