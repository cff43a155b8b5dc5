// What a session has changed, file by file; nothing that could not be shown is left out silently.
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { span } from '../text/span.ts'
import type { Line } from '../text/span.ts'
import { patchLines } from '../transcript/diff-lines.ts'

/** Lines of a diff are not cut here: the page wraps them. */
const uncut = 100_000

export function diffPageLines({ files, more }: ResultOf<'get_diff'>): readonly Line[] {
  const lines = files.flatMap(({ path, change, diff, reason }): readonly Line[] => [
    [span(`${change} `, 'dim'), span(path, 'strong')],
    ...(diff === undefined ? [[span(`  ${reason ?? 'no diff'}`, 'dim')]] : patchLines(diff, uncut)),
    [],
  ])
  return more === 0 ? lines : [...lines, [span(`… and ${more} more files`, 'dim')]]
}
