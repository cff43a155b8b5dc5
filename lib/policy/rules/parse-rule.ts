// Parses one permission rule, in the form of rxpi or of Claude Code.
import { compilePath, pathFault } from './path-glob.ts'
import type { PathGlob, RuleRoots } from './path-glob.ts'
import { plainCommandPattern, splitPattern } from './command-words.ts'

/** The tools that a rule names: those that read or change files, or by name with `*`. */
export type RuleTools = { readonly access: 'read' | 'write' } | { readonly name: string }

export type RuleSubject =
  | { readonly kind: 'any' }
  | { readonly kind: 'path'; readonly glob: PathGlob }
  | { readonly kind: 'command'; readonly pattern: string; readonly words: readonly string[] }
  | { readonly kind: 'domain'; readonly domain: string }

export interface ParsedRule {
  readonly tools: RuleTools
  readonly subject: RuleSubject
  /** The rule in the form of rxpi. */
  readonly plain: string
}

/** Why a text is not a rule, in words. */
export interface RuleFault {
  readonly fault: string
}

const pathTools: ReadonlySet<string> = new Set(['read', 'write', 'edit', 'hashline_edit', 'grep', 'find', 'ls'])
const domainTools: ReadonlySet<string> = new Set(['web_fetch'])

/** Claude Code's tools: the tool here, or undefined if there is none. */
const claudeTools: Readonly<Record<string, string | undefined>> = {
  Bash: 'bash',
  BashOutput: 'job_output',
  KillShell: 'job_kill',
  KillBash: 'job_kill',
  Read: 'read',
  NotebookRead: 'read',
  Edit: 'write',
  MultiEdit: 'write',
  Write: 'write',
  NotebookEdit: 'write',
  Grep: 'grep',
  Glob: 'find',
  LS: 'ls',
  TodoWrite: 'todo',
  TodoRead: 'todo',
  AskUserQuestion: 'ask',
  WebFetch: 'web_fetch',
  WebSearch: 'web_search',
}

export function parseRule(text: string, roots: RuleRoots): ParsedRule | RuleFault {
  const match = /^([A-Za-z_*][\w*-]*)\s*(?:\(([^]*)\))?$/.exec(text.trim())
  const [, written = '', inside] = match ?? []
  if (match === null) return { fault: 'write a tool and, in parentheses, a pattern: bash(npm run test *)' }
  const isClaude = /^[A-Z]/.test(written)
  const name = isClaude ? claudeTools[written] : serverName(written)
  if (name === undefined || (isClaude && !Object.hasOwn(claudeTools, written)))
    return { fault: `rxpi has no counterpart of the tool ${written}` }
  if (inside?.trim() === '') return { fault: 'the pattern is empty: leave the parentheses out to name the whole tool' }
  const pattern = inside?.trim()
  // A rule about notebooks must not open every file.
  if (/^Notebook/.test(written) && (pattern === undefined || pattern === '*'))
    return pathRule(name, '**/*.ipynb', roots)
  if (pattern === undefined || pattern === '*') return wholeTool(name)
  if (name === 'bash') return commandRule(name, plainCommandPattern(pattern))
  if (pathTools.has(name)) return pathRule(name, isClaude ? plainPath(pattern) : pattern, roots)
  if (domainTools.has(name)) return domainRule(name, pattern)
  return { fault: `rules about ${name} take no pattern: write ${name}` }
}

/** Claude Code writes `mcp__server` for all tools of a server. */
function serverName(name: string): string {
  return /^mcp__[^_](?:(?!__).)*$/.test(name) && !name.includes('*') ? `${name}__*` : name
}

function wholeTool(name: string): ParsedRule {
  return { tools: toolsOf(name), subject: { kind: 'any' }, plain: name }
}

function commandRule(name: string, pattern: string): ParsedRule | RuleFault {
  const words = splitPattern(pattern)
  if (pattern.length > 500) return { fault: 'a pattern has at most 500 characters' }
  if (words.length === 0) return { fault: 'the pattern names no command' }
  if (/[;&|<>`\n]|\$\(/.test(pattern.replace(/"[^"]*"|'[^']*'/g, '')))
    return { fault: 'a pattern matches one command: it has no ; & | < > and no substitution' }
  if (words.every((word) => word === '*')) return wholeTool(name)
  return { tools: { name }, subject: { kind: 'command', pattern, words }, plain: `${name}(${pattern})` }
}

function pathRule(name: string, text: string, roots: RuleRoots): ParsedRule | RuleFault {
  const fault = pathFault(text)
  if (fault !== undefined) return { fault }
  return { tools: toolsOf(name), subject: { kind: 'path', glob: compilePath(text, roots) }, plain: `${name}(${text})` }
}

/** Claude Code's `/x` is in the project, `//x` is absolute. */
function plainPath(text: string): string {
  if (text.startsWith('//')) return text.slice(1)
  return text.startsWith('/') ? `.${text}` : text
}

function domainRule(name: string, pattern: string): ParsedRule | RuleFault {
  const domain = pattern.replace(/^domain:/, '').toLowerCase()
  if (!/^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*$/.test(domain))
    return { fault: 'write a domain: web_fetch(domain:example.com) or web_fetch(domain:*.example.com)' }
  return { tools: { name }, subject: { kind: 'domain', domain }, plain: `${name}(domain:${domain})` }
}

/** `read` covers every tool that reads files; `write` and `edit` every tool that changes them. */
function toolsOf(name: string): RuleTools {
  if (name === 'read') return { access: 'read' }
  return name === 'write' || name === 'edit' ? { access: 'write' } : { name }
}

/** True if the host is the domain, or below it for `*.domain`. */
export function isOfDomain(host: string, domain: string): boolean {
  return domain.startsWith('*.') ? host.endsWith(domain.slice(1)) : host === domain
}
