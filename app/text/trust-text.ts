// Words the answers to the question about a folder's files, for the terminal UI and for editors.
import { countOf } from '../../lib/streams/values/count-of.ts'

/** @param files number of the folder's files that need trust */
export function trustAnswers(files: number) {
  return {
    later: 'Not now: go on without them',
    trust: `Trust exactly this content (${countOf(files, 'file')})`,
    never: 'Never, and do not ask again',
  } as const
}
