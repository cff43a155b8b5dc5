// Proposes the allow rule that a person may add with an answer.
// Guarantees: no rule for a command that runs other code, and none if a rule could not cover the call.
import path from 'node:path'
import { isInside } from '../../host/files/resolve-path.ts'
import { capabilityOf } from '../../streams/ports/tool.ts'
import type { PolicyRequest } from '../../streams/ports/policy.ts'
import type { SimpleCommand } from '../shell/model/command-analysis.ts'
import type { CallFacts } from './call-facts.ts'

/** Programs that run what their arguments say: a pattern with `*` would allow everything. */
const runners =
  /^(?:.*\/)?(?:(?:ba|da|z|k|fi|c|tc)?sh|eval|exec|source|\.|env|sudo|doas|su|xargs|nohup|time|timeout|nice|watch|ssh|parallel|find|awk|gawk|sed|perl|ruby|lua|php|deno|bun|node|tsx|npx|uvx|pipx|python[\d.]*|osascript|docker|podman|kubectl|make|git|curl|wget|rm|mv|cp|chmod|chown|kill|pkill|dd)$/

/** They run what their arguments or the configuration say. */
const gitRunners: ReadonlySet<string> = new Set(['config', 'rebase', 'bisect', 'submodule', 'difftool', 'mergetool'])

export function suggestPattern({ tool, cwd }: PolicyRequest, facts: CallFacts): string | undefined {
  if (tool.mcp !== undefined) return tool.name
  if (facts.analysis !== undefined) return commandPattern(tool.name, facts)
  const capability = capabilityOf(tool.capability)
  const [first] = facts.files
  if (first !== undefined && (capability === 'read' || capability === 'write'))
    return pathPattern(capability, first.real, cwd)
  if (facts.host !== undefined && tool.name === 'web_fetch') return `web_fetch(domain:${facts.host})`
  return tool.name === 'bash' ? undefined : tool.name
}

/** For one command: its program, its sub-command, and any words; exact words for programs that run others. */
function commandPattern(tool: string, { analysis }: CallFacts): string | undefined {
  if (analysis?.isComplete !== true || analysis.classes.length > 0) return undefined
  const [command, ...more] = analysis.commands.filter(({ words }) => words.length > 0)
  if (command === undefined || more.length > 0 || command.assignments.length > 0) return undefined
  const words = command.words.flatMap(({ value }) => (value === undefined ? [] : [value]))
  const [name = '', verb] = words
  if (words.length < command.words.length || words.some((word) => /["'*\n]/.test(word))) return undefined
  if (/^(?:.*\/)?git$/.test(name) && isVerb(verb) && !gitRunners.has(verb))
    return `${tool}(${joined([name, verb, '*'])})`
  const head = isVerb(verb) ? [name, verb] : [name]
  return `${tool}(${joined(runners.test(name) ? words : head.length < words.length ? [...head, '*'] : words)})`
}

function isVerb(word: string | undefined): word is string {
  return word !== undefined && /^[a-z][a-z0-9:-]*$/.test(word)
}

function joined(words: readonly SimpleCommand['words'][number]['text'][]): string {
  return words.map((word) => (/[\s]/.test(word) || word === '' ? `"${word}"` : word)).join(' ')
}

/** The folder of a file in the workspace; for files at its top and elsewhere, the file's folder or itself. */
function pathPattern(tool: 'read' | 'write', file: string, cwd: string): string | undefined {
  if (/[\\*?{}[\]]/.test(file)) return undefined
  const parent = path.dirname(file)
  if (!isInside(file, cwd)) return tool === 'read' && parent !== '/' ? `read(${parent}/**)` : `${tool}(${file})`
  const relative = path.relative(cwd, file)
  const folder = path.dirname(relative)
  return folder === '.' ? `${tool}(./${relative})` : `${tool}(./${folder}/**)`
}
