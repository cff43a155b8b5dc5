// Edits by anchors in files that have changed at random: never a wrong write.
import { expect, it } from 'vitest'
import { applyLineEdits } from '../../../lib/tools/files/hashline/apply-line-edits.ts'
import { formatAnchor } from '../../../lib/tools/files/hashline/anchor.ts'
import { resolveEdits } from '../../../lib/tools/files/hashline/resolve-edits.ts'
import { shownVersions } from '../../../lib/tools/files/hashline/shown-versions.ts'
import { lineIndex } from '../../../lib/tools/files/hashline/text-lines.ts'
import { digestOf } from '../../../lib/tools/shared/digest.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { randomOf } from '../../support/random-of.ts'
import { randomDrift } from './hashline-drift.ts'
import type { Drift } from './hashline-drift.ts'

const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')

/** The content after the edits, or undefined if they are refused. */
async function edited({ shown, present, edits }: Drift): Promise<string | undefined> {
  const versions = shownVersions()
  const version = versions.add('s', '/f', Buffer.from(text(shown)))
  version.addShown(0, shown.length - 1)
  const anchor = (line: number) => formatAnchor(version.id, line, shown[line] ?? '')
  const now = text(present)
  const lines = lineIndex(now)
  const written = edits.map(({ op, first, last, lines: added }) => ({
    op,
    pos: anchor(first),
    ...(last === first ? {} : { end: anchor(last) }),
    lines: added,
  }))
  const findVersion = (id: string) => versions.find('s', id)
  const { placed, problems } = await resolveEdits(written, {
    present: lines,
    digest: digestOf(now),
    target: '/f',
    findVersion,
  })
  return problems.length > 0 ? undefined : applyLineEdits(lines, placed).content
}

it('writes nothing wrong after 100,000 random changes of the file, and finds most lines that stayed [TOOLS-edit-drift]', async () => {
  const seed = sampleSize(20, Date.now() % 1e9)
  const random = randomOf(seed)
  const chance = (limit: number) => Math.floor(random() * limit)
  const count = sampleSize(10_000, 100_000)
  const received = { right: 0, wrong: 0, gone: 0, missed: 0 }
  for (let round = 0; round < count; round += 1) {
    const drift = randomDrift(chance)
    if (drift.edits.length === 0) continue
    const result = await edited(drift)
    const wanted = drift.wanted === undefined ? undefined : text(drift.wanted)
    if (result === undefined) received[wanted === undefined ? 'gone' : 'missed'] += 1
    else if (result === wanted) received.right += 1
    else {
      received.wrong += 1
      expect({ seed, ...drift, result: result.split('\n') }).toEqual({ wanted: drift.wanted })
    }
  }
  expect(received.wrong).toBe(0)
  expect(received.right).toBeGreaterThan(count / 5)
  expect(received.gone).toBeGreaterThan(count / 10)
})
