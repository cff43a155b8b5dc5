// Reads which folders of this machine a container gets, and the folder in which its command starts.
import type { Container, ShellState } from '../model/shell-state.ts'
import { mountWords } from '../model/mount-words.ts'
import { optionValue } from '../model/option-value.ts'
import { resolvePattern } from '../model/path-patterns.ts'

export interface ContainerEntry {
  readonly container: Container
  /** `--workdir`; undefined if the image decides. */
  readonly cwd?: string
}

const engines = /^(?:docker|podman|nerdctl|kubectl|oc|lxc|crictl)$/

/** The container in which `words` run; undefined if the program starts none. */
export function containerOf(
  program: string,
  args: readonly string[],
  words: readonly string[],
  state: ShellState,
): ContainerEntry | undefined {
  if (!engines.test(program)) return undefined
  const options = args.slice(0, args.length - words.length)
  const mounts = mountWords(options).map(({ source, target }) => ({
    source: resolvePattern(source, state.cwds?.[0] ?? '/'),
    target: resolvePattern(target, '/'),
  }))
  const cwd = optionValue(options, ['-w', '--workdir'])
  return { container: { mounts }, ...(cwd?.startsWith('/') === true && { cwd }) }
}
