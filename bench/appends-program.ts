// Measures the cost of a line on its way to the disk, beside bare system calls; writes JSON.
import { closeSync, fdatasync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { lastValueFrom, merge } from 'rxjs'
import { fileStore } from '../lib/store/index.ts'
import { sealLine } from '../lib/store/lines/line-checksum.ts'
import { randomIds } from '../lib/streams/values/identifiers.ts'
import type { SessionLog } from '../lib/streams/ports/session-log.ts'

export interface AppendSamples {
  /** Bytes of the line. */
  readonly bytes: number
  /** Microseconds a line, one figure a round. */
  readonly append: number[]
  readonly bare: number[]
}

export interface CommitSamples {
  /** Lines that wait for the disk at once. */
  readonly waiting: number
  /** Acknowledgements a second, one figure a round. */
  readonly grouped: number[]
  readonly single: number[]
}

export interface Appends {
  readonly appends: readonly AppendSamples[]
  readonly commits: CommitSamples
}

const rounds = 9
const lines = 20_000
const waiting = 1_000
const sync = promisify(fdatasync)

const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-bench-appends-'))
const descriptor = openSync(path.join(folder, 'bare'), 'a')
const log = fileStore({ home: folder }).create({ id: randomIds().session(), createdAt: Date.now(), cwd: folder })
try {
  const appends = [160, 600, 2_000].map((bytes): AppendSamples => ({ bytes, append: [], bare: [] }))
  const commits: CommitSamples = { waiting, grouped: [], single: [] }
  for (let round = 0; round <= rounds; round++) {
    for (const samples of appends) measureAppends(samples)
    await measureCommits(commits)
    if (round === 0) forget(appends, commits) // compiles hot code
  }
  process.stdout.write(JSON.stringify({ appends, commits } satisfies Appends))
} finally {
  closeSync(descriptor)
  rmSync(folder, { recursive: true, force: true })
}

function forget(appends: readonly AppendSamples[], { grouped, single }: CommitSamples): void {
  for (const samples of [...appends.flatMap(({ append, bare }) => [append, bare]), grouped, single]) samples.length = 0
}

function measureAppends({ bytes, append, bare }: AppendSamples): void {
  const line = `${sealLine(bodyOf(1, bytes))}\n`
  bare.push(microsecondsEach(() => writeSync(descriptor, line)))
  append.push(microsecondsEach(() => log.append(bodyOf(log.head + 1, bytes))))
}

function microsecondsEach(act: () => void): number {
  const startedAt = performance.now()
  for (let count = 0; count < lines; count++) act()
  return ((performance.now() - startedAt) * 1_000) / lines
}

async function measureCommits({ grouped, single }: CommitSamples): Promise<void> {
  grouped.push(
    await perSecond(waiting, () =>
      lastValueFrom(merge(...Array.from({ length: waiting }, () => committed(log))), { defaultValue: undefined }),
    ),
  )
  const few = 50
  const line = `${sealLine(bodyOf(1, 160))}\n`
  single.push(
    await perSecond(few, async () => {
      for (let count = 0; count < few; count++) {
        writeSync(descriptor, line)
        await sync(descriptor)
      }
    }),
  )
}

function committed(to: SessionLog) {
  to.append(bodyOf(to.head + 1, 160))
  return to.durable()
}

async function perSecond(count: number, act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await act()
  return count / ((performance.now() - startedAt) / 1_000)
}

function bodyOf(seq: number, bytes: number): string {
  const start = `{"seq":${seq},"at":1790000000000,"event":{"type":"custom","customType":"bench","data":"`
  return `${start}${'x'.repeat(Math.max(0, bytes - start.length - 21))}"}`
}
