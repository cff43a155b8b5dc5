// Plays one life of a session on a disk that loses power, with random commands.
// Records what an observer had seen by then.
import { readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { map, timer } from 'rxjs'
import type { SessionCommand } from '../../../lib/session/contract/session.ts'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import type { FileStore } from '../../../lib/store/sessions/file-store.ts'
import type { ImageContent } from '../../../lib/streams/messages/message.ts'
import { randomIds } from '../../../lib/streams/values/identifiers.ts'
import type { SessionLog } from '../../../lib/streams/ports/session-log.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { losingDisk } from '../../store/disk/losing-disk.ts'
import type { LosingMode } from '../../store/disk/surviving-bytes.ts'
import { faultyLog } from '../../support/faulty-log.ts'
import { playSession } from '../../support/virtual-session.ts'
import type { SessionControl, SessionScene } from '../../support/virtual-session.ts'

export const sessionId = 'sessionaaaaa'

/** What an observer outside the process has seen of the session. */
export interface Notices {
  /** Whether `new_session` was answered. */
  exists: boolean
  /** Every durable line that was shown, by its `seq`. */
  readonly lines: Map<number, string>
  /** Lines up to this `seq` were written before some response. */
  durable: number
  /** The commands that were answered with `ok`, by opId. */
  readonly answers: Map<string, { readonly command: SessionCommand; readonly result: object }>
}

export const nothingNotices = (): Notices => ({ exists: false, lines: new Map(), durable: 0, answers: new Map() })
const copyOf = (notices: Notices): Notices => ({
  ...notices,
  lines: new Map(notices.lines),
  answers: new Map(notices.answers),
})

function randomCommand(random: () => number, text: string): SessionCommand {
  const pick = Math.floor(random() * 7)
  if (pick === 0) return { type: 'steer', text }
  if (pick === 1) return { type: 'follow_up', text }
  if (pick === 2) return { type: 'set_thinking_level', thinkingLevel: random() < 0.5 ? 'low' : 'high' }
  if (pick === 3) return { type: 'set_queue_mode', queue: 'steering', mode: random() < 0.5 ? 'all' : 'one-at-a-time' }
  if (pick === 4) return { type: 'prompt', text, images: [imageOf(text)], whileRunning: 'follow_up' }
  return { type: 'prompt', text, whileRunning: 'follow_up' }
}

/** An image over 64 KiB, which is stored as a blob; different for each text. */
function imageOf(text: string): ImageContent {
  return { type: 'image', mimeType: 'image/png', data: Buffer.alloc(66_000, text).toString('base64') }
}

/** New ones for each session: they hold the calls that they got, and with these the session. */
const madeTools = () => [
  fakeTool('quick', 'done at once'),
  fakeTool('slow', () => timer(40).pipe(map(() => textResult('done in time '.repeat(300))))),
]

/** A session whose answers, calls and delays are the same in each life. */
export function powerCutScene(log: SessionLog, more: Partial<SessionScene>): SessionScene {
  return {
    script: (_request, number) => ({
      text: `Answer ${number}: ${'word '.repeat((number * 37) % 90)}`,
      pieceLength: 12,
      pieceDelayMs: ((number + 1) % 4) * 10,
      toolCalls: Array.from({ length: (number * 7) % 4 }, (_, index) => ({ name: index % 2 === 0 ? 'quick' : 'slow' })),
    }),
    tools: madeTools(),
    log: { ...faultyLog(), log },
    options: { ids: randomIds() },
    ...more,
  }
}

export interface Life {
  readonly seed: string
  readonly home: string
  readonly random: () => number
  readonly mode: LosingMode
  readonly notices: Notices
}

/**
 * Sends about 15 commands on a disk that loses power meanwhile. Leaves the remaining files in `into`; returns what an
 * observer had seen.
 */
export function live(life: Life, into: string): Notices {
  const { random, home, mode, seed } = life
  let notices = copyOf(life.notices)
  let noticesThen = copyOf(notices)
  const disk = losingDisk({ root: home, random, mode, chosen: () => (noticesThen = copyOf(notices)) })
  removeUntold(home, notices)
  const log = openedOrCreated(fileStore({ home: path.join(home, 'rxpi'), files: disk.files }), notices)
  if (log.head < notices.durable)
    throw new Error(`${notices.durable} lines were acknowledged and ${log.head} are there`)
  notices = { ...notices, lines: new Map([...notices.lines].filter(([seq]) => seq <= log.head)) } // lost lines may differ now
  const created = (): void => {
    log.durable().subscribe(() => {
      notices.exists = true
      disk.moment()
    })
  }
  const at: Record<number, (control: SessionControl) => void> = { 0: created }
  for (let index = 0; index < 15; index += 1) {
    const command = randomCommand(random, `${seed}-${index}`)
    at[1 + Math.floor(random() * 600)] = ({ session }) => {
      const opId = `op ${seed}-${index}`
      session.send(command as Extract<SessionCommand, { type: 'prompt' }>, { opId }).subscribe((result) => {
        const own = [...notices.lines].filter(([, line]) => line.includes(`"opId":"${opId}"`)).map(([seq]) => seq)
        notices.answers.set(opId, { command, result })
        notices.durable = Math.max(notices.durable, ...own)
        disk.moment()
      })
    }
  }
  at[5_000] = ({ session }) => void session.close().subscribe()
  playSession(
    powerCutScene(log, {
      at,
      onRecord: ({ seq, line = '' }) => {
        if (seq !== undefined) notices.lines.set(seq, line)
      },
    }),
  )
  disk.survivors(into)
  return noticesThen
}

/** The log files below a folder. */
export function logsBelow(home: string): string[] {
  const entries = readdirSync(home, { recursive: true, withFileTypes: true })
  return entries.filter(({ name }) => name.endsWith('.jsonl')).map((entry) => path.join(entry.parentPath, entry.name))
}

/**
 * Removes the empty log that a power cut leaves if the session was not acknowledged: a new one would have another id.
 */
export function removeUntold(home: string, { exists }: Notices): void {
  if (exists) return
  for (const file of logsBelow(home)) if (statSync(file).size === 0) rmSync(file)
}

/** Opens the session, or creates it if its creation was not answered. */
export function openedOrCreated(store: FileStore, { exists }: Notices): SessionLog {
  try {
    return store.open(sessionId).log
  } catch (thrown) {
    if (exists) throw thrown
    return store.create({ id: sessionId, createdAt: 1, cwd: '/somewhere' })
  }
}
