// Reads a SKILL.md of the Agent Skills standard: name, description and what is wrong with it.
// Guarantees: what a model can work with is used, with a warning; `allowed-tools` grants nothing.
import path from 'node:path'
import type { CommandProblem } from '../../streams/ports/prompt-commands.ts'
import { activeCharacters } from '../../streams/values/display-text.ts'
import type { Frontmatter } from '../files/frontmatter.ts'

export interface Skill {
  readonly name: string
  /** One line. */
  readonly description: string
  /** Absolute, of its SKILL.md. */
  readonly path: string
  /** False: only people call it, by `/skill:NAME`; the model does not learn of it. */
  readonly isForModel: boolean
}

export interface ParsedSkill {
  /** Absent: the file cannot be used; a problem says why. */
  readonly skill?: Skill
  readonly problems: readonly CommandProblem[]
}

const maxName = 64
const maxDescription = 1_024

/** Fields of the standard, and those of other agents that mean nothing here. */
const knownFields: ReadonlySet<string> = new Set([
  ...['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'],
  ...[
    'disable-model-invocation',
    'user-invocable',
    'argument-hint',
    'model',
    'context',
    'agent',
    'hooks',
    'when_to_use',
  ],
])

export function parseSkill(file: string, { fields, problem }: Omit<Frontmatter, 'body'>): ParsedSkill {
  const problems: CommandProblem[] = []
  const refuse = (message: string): ParsedSkill => ({ problems: [{ path: file, level: 'error', message }] })
  const warn = (message: string): void => void problems.push({ path: file, level: 'warning', message })
  if (problem !== undefined) return refuse(problem)
  const written = fields['description']
  const description = typeof written === 'string' ? toLine(written) : ''
  if (description === '') {
    const why = written === undefined ? 'it has no description' : 'its description is empty or not a text'
    return refuse(`${why}; begin it with ---, name: … and description: …`)
  }
  const name = nameOf(file, fields['name'], warn)
  if (!/^[\w.-]{1,128}$/.test(name))
    return refuse(`its name "${toLine(name)}" cannot be typed; use a-z, 0-9 and hyphens`)
  checkName(file, name, warn)
  if (description.length > maxDescription)
    warn(`its description has ${description.length} characters; the model gets the first ${maxDescription}`)
  const unknown = Object.keys(fields).filter((field) => !knownFields.has(field))
  if (unknown.length > 0)
    warn(`${toLine(unknown.slice(0, 5).join(', '))}: no field of the standard; own fields belong below metadata`)
  const isForModel = fields['disable-model-invocation'] !== true && fields['disable-model-invocation'] !== 'true'
  return { skill: { name, description: description.slice(0, maxDescription), path: file, isForModel }, problems }
}

function nameOf(file: string, written: unknown, warn: (message: string) => void): string {
  if (typeof written === 'string' && written.trim() !== '') return written.trim()
  if (typeof written === 'number') return String(written)
  const folder = folderOf(file)
  warn(`it has no name; the name of its folder is used: ${folder}`)
  return folder
}

function checkName(file: string, name: string, warn: (message: string) => void): void {
  const folder = folderOf(file)
  if (name.length > maxName) warn(`its name has ${name.length} characters; the standard allows ${maxName}`)
  if (/[^a-z0-9-]/.test(name)) warn(`its name ${name} has other characters than a-z, 0-9 and hyphens`)
  if (/^-|-$|--/.test(name)) warn(`its name ${name} begins or ends with a hyphen, or has two in a row`)
  if (name !== folder) warn(`its name ${name} is not that of its folder, ${folder}`)
}

function folderOf(file: string): string {
  return path.basename(path.dirname(file))
}

/** White space as one space, without invisible characters (docs/design/security.md#S22). */
export function toLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(activeCharacters, '').trim()
}
