// Finds commands in project files that a command writes and then runs: makefiles, package.json …
import { fileContent } from '../expand/command-output.ts'
import { optionValue } from '../model/option-value.ts'
import type { ShellState } from '../model/shell-state.ts'
import { hasMarks } from '../model/word-marks.ts'

/** Texts that `make`, `just` and `npm run` would give to a shell. */
export function projectTexts(
  program: string,
  args: readonly string[],
  stdin: string | undefined,
  state: ShellState,
): readonly string[] {
  switch (program) {
    case 'make':
    case 'gmake':
    case 'just':
      return recipes(program, args, stdin, state)
    case 'npm':
    case 'pnpm':
    case 'yarn':
    case 'bun':
      return [...newScripts(args), ...scriptsOf(fileContent('package.json', state))]
    default:
      return []
  }
}

/**
 * Values of variables on the command line of make, which its recipes may run; `$(shell …)` runs at once.
 * A single word such as `CC=clang` and options such as `CFLAGS="-O2 -g"` are none.
 */
export function makeVariables(program: string, args: readonly string[]): readonly string[] {
  if (!/^(?:g?make|remake|nmake)$/.test(program)) return []
  return args.flatMap((word) => {
    const value = /^[A-Za-z_.][\w.-]*\s*[:?+!]{0,3}=\s*([^]*)$/.exec(word)?.[1] ?? ''
    const text = value.replaceAll(/\$[({]shell /g, '$(').replaceAll('$$', '$')
    return /[\s;|&`$]/.test(text) && !text.startsWith('-') ? [text] : []
  })
}

function recipes(program: string, args: readonly string[], stdin: string | undefined, state: ShellState): string[] {
  const file = optionValue(args, program === 'just' ? ['-f', '--justfile'] : ['-f', '--file', '--makefile'])
  const isInput = file === '-' || file?.startsWith('/dev/') === true
  const names = file === undefined ? ['Makefile', 'makefile', 'GNUmakefile', 'justfile', 'Justfile'] : [file]
  const read = isInput ? stdin : names.map((name) => fileContent(name, state)).find((text) => text !== undefined)
  const content = [read, program === 'just' ? undefined : optionValue(args, ['--eval', '-E'])]
    .filter((text) => text !== undefined && !hasMarks(text))
    .join('\n')
  return content.split('\n').flatMap((line) => {
    const recipe = /^(?:\t| {2,})(.*)$/.exec(line)?.[1] ?? /^[^\s#=:][^=#]*:[^=;]*;(.*)$/.exec(line)?.[1]
    const call = [...line.matchAll(/\$\(shell ([^)]*)\)/g)].map(([, text = '']) => text)
    return [...(recipe === undefined ? [] : [recipe.replace(/^[@+-]+/, '').replaceAll('$$', '$')]), ...call]
  })
}

/** `npm pkg set scripts.x=…`. */
function newScripts(args: readonly string[]): string[] {
  if (args[0] === 'set-script') return args.slice(2, 3)
  const at = args.indexOf('pkg')
  if (at < 0 || args[at + 1] !== 'set') return []
  return args.flatMap((word) => /^scripts(?:\.|\[)[^=]+=(.*)$/s.exec(word)?.[1] ?? [])
}

function scriptsOf(content: string | undefined): string[] {
  if (content === undefined || hasMarks(content)) return []
  try {
    const value: unknown = JSON.parse(content)
    const scripts: unknown = typeof value === 'object' && value !== null && 'scripts' in value ? value.scripts : {}
    return Object.values(scripts ?? {}).filter((text) => typeof text === 'string')
  } catch {
    return [] // no JSON: npm runs nothing of it
  }
}
