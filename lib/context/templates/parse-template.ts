// Reads a prompt template: markdown with a description and a hint for its arguments.
// Guarantees: the fields `allowed-tools` and `model` grant and change nothing; no command in the text is run.
import path from 'node:path'
import type { CommandProblem } from '../../streams/ports/prompt-commands.ts'
import type { Frontmatter } from '../files/frontmatter.ts'
import { toLine } from '../skills/parse-skill.ts'

export interface Template {
  readonly name: string
  /** One line. */
  readonly description: string
  /** Syntax of the arguments, for people. */
  readonly argument?: string
  readonly body: string
}

export interface ParsedTemplate {
  readonly template?: Template
  readonly problems: readonly CommandProblem[]
}

const maxDescription = 200

/** The name is that of the file. */
export function parseTemplate(file: string, { fields, body, problem }: Frontmatter): ParsedTemplate {
  const name = path.basename(file, '.md')
  const refuse = (message: string): ParsedTemplate => ({ problems: [{ path: file, level: 'error', message }] })
  if (problem !== undefined) return refuse(problem)
  if (!/^[A-Za-z][\w.-]{0,63}$/.test(name))
    return refuse('its name cannot be typed as a command; begin it with a letter, then letters, digits and hyphens')
  if (body.trim() === '') return refuse('it has no text')
  const written = fields['description']
  const description = typeof written === 'string' ? toLine(written) : toLine(firstLine(body))
  const hint = fields['argument-hint']
  const hasCommand = /(?:^|\s)!`[^`]+`/.test(body)
  return {
    template: {
      name,
      description: cut(description, maxDescription),
      ...(argumentHint(hint) === '' ? {} : { argument: argumentHint(hint) }),
      body: body.trim(),
    },
    problems: hasCommand
      ? [{ path: file, level: 'warning', message: 'the command in !`…` is not run; the model gets it as text' }]
      : [],
  }
}

/** `[file] [focus]` is a list in YAML. */
function argumentHint(hint: unknown): string {
  const text = Array.isArray(hint) ? `[${hint.join(', ')}]` : hint
  return typeof text === 'string' ? cut(toLine(text), 64) : ''
}

function firstLine(body: string): string {
  return (body.trim().split('\n', 1)[0] ?? '').replace(/^#+\s*/, '')
}

function cut(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text
}
