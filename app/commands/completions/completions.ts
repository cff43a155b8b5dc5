// Runs `rxpi completions`: prints the script of a shell, or the candidates that the script asks for.
import { map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { completeWords } from '../../cli/complete/complete-words.ts'
import type { Candidate, Completion } from '../../cli/complete/complete-words.ts'
import { splitLine } from '../../cli/complete/split-line.ts'
import type { Shell } from '../../cli/invocation.ts'
import { endAtSignal } from '../../process/end-at-signal.ts'
import type { World } from '../../process/world.ts'
import { listPaths } from './list-paths.ts'
import { lookUpValues } from './look-up-values.ts'
import type { LookedUp } from './look-up-values.ts'

/** @param line the words after `rxpi`, of bash the whole line; emits the exit code */
export function candidates(shell: Shell, line: readonly string[], world: World): Observable<number> {
  const words = shell === 'bash' ? splitLine(line[0] ?? '').slice(1) : line
  const completion = completeWords(words)
  const wanted = completion.kinds.filter((kind): kind is LookedUp => kind !== 'file' && kind !== 'folder')
  const found$ = wanted.length === 0 ? of(pathsOf(completion)) : lookUpValues(wanted, completion.typed, world)
  return found$.pipe(
    map((values) => {
      world.stdout.text(format(shell, completion, [...completion.candidates, ...values]))
      return 0
    }),
    endAtSignal(world.signals$),
  )
}

/** Paths after `@` or `--cwd=`: a shell lists only words that are nothing but a path. */
function pathsOf({ before, typed, kinds }: Completion): Candidate[] {
  const kind = kinds.find((each) => each === 'file' || each === 'folder')
  return before === '' || kind === undefined ? [] : listPaths(typed, kind).map((value) => ({ value }))
}

function format(shell: Shell, { before, typed, kinds }: Completion, found: readonly Candidate[]): string {
  const listing = kinds.includes('file') ? 'files' : kinds.includes('folder') ? 'folders' : 'closed'
  const isOpen = found.some(({ value }) => value.endsWith('/'))
  const kind = before === '' ? listing : isOpen ? 'open' : 'closed'
  // bash replaces only what follows the last `=` or `:` of the word
  const start = shell === 'bash' ? Math.max(...['=', ':'].map((mark) => (before + typed).lastIndexOf(mark))) + 1 : 0
  const lines = found.map(({ value, text = '' }) => formatCandidate(shell, (before + value).slice(start), text))
  return [kind, ...lines].map((line) => `${line}\n`).join('')
}

/** One line: a tab and the text; in zsh a colon and the text. */
function formatCandidate(shell: Shell, value: string, text: string): string {
  const short = text.replaceAll(/\s+/g, ' ').slice(0, 80)
  if (shell !== 'zsh') return `${value}\t${short}`
  const quoted = value.replaceAll(/[\\:]/g, '\\$&')
  return short === '' ? quoted : `${quoted}:${short}`
}
