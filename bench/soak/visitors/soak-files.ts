// The files of a client, as an editor offers them: saved or not, and sometimes it fails or does not answer.
import { readFileSync, writeFileSync } from 'node:fs'
import { NEVER, of, throwError } from 'rxjs'
import type { OfferedFiles } from '../../../lib/client.ts'
import type { Chance } from '../chance.ts'

export interface SoakFilesOptions {
  readonly chance: Chance
  /** Called for each request, with its outcome. */
  readonly onCall: (outcome: string) => void
}

/** Texts with a line that is not on the disk. */
export function soakFiles({ chance, onCall }: SoakFilesOptions): OfferedFiles {
  const outcomes = { answers: 90, fails: 7, silent: 1 }
  return {
    read: (file) => {
      const outcome = chance.weighted(outcomes)
      onCall(`read, ${outcome}`)
      if (outcome === 'silent') return NEVER
      if (outcome === 'fails') return throwError(() => new Error('the editor fails'))
      const text = textOf(file)
      return of(text === undefined || chance.next() < 0.7 ? text : `${text}a line that is not saved\n`)
    },
    write: (file, text) => {
      const outcome = chance.weighted(outcomes)
      onCall(`write, ${outcome}`)
      if (outcome === 'silent') return NEVER
      if (outcome === 'fails') return throwError(() => new Error('the editor fails'))
      writeFileSync(file, text)
      return of(undefined)
    },
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined // there is no such file
  }
}
