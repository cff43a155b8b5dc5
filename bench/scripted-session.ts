// What the benchmarks of the loop share: a session on a real log whose model answers at full speed.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstValueFrom, lastValueFrom, Observable } from 'rxjs'
import { openSession } from '../lib/session/open-session.ts'
import type { Session } from '../lib/session/session.ts'
import { fileStore } from '../lib/store/index.ts'
import type { AssistantDelta } from '../lib/streams/delta.ts'
import { randomIds } from '../lib/streams/ids.ts'
import type { Model } from '../lib/streams/model.ts'
import type { Provider } from '../lib/streams/provider.ts'
import type { AnyTool } from '../lib/streams/tool.ts'
import { textPiece } from './text-piece.ts'

const model: Model = { id: 'bench', provider: 'bench', api: 'bench', inputs: ['text'], reasoning: false }
export const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: 'unknown' as const }

/** One text block of `count` deltas, as fast as they are taken. */
export function textAnswer(count: number): Observable<AssistantDelta> {
  return new Observable((subscriber) => {
    subscriber.next({ type: 'text_start', contentIndex: 0 })
    for (let index = 0; index < count && !subscriber.closed; index++) {
      subscriber.next({ type: 'text_delta', contentIndex: 0, text: textPiece(index) })
    }
    subscriber.next({ type: 'text_end', contentIndex: 0 })
    subscriber.next({ type: 'done', stopReason: 'stop', usage })
    subscriber.complete()
  })
}

export interface ScriptedSession {
  readonly provider: Provider
  readonly tools?: readonly AnyTool[]
}

/**
 * Opens a session on a file log in a folder of its own; after `use` it is synced and closed, and the folder removed.
 * `synced` resolves when the disk has taken all there is: until then a sync may still be under way on the other core.
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
