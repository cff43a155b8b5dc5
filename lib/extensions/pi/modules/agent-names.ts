// Gives extensions small names of pi's coding agent: its folders, its shell, languages and entries.
import { homedir } from 'node:os'
import path from 'node:path'
import type { PiRecord } from '../contract/pi-shapes.ts'

const agentDir = (): string => process.env['PI_CODING_AGENT_DIR'] ?? path.join(homedir(), '.pi/agent')

/** pi is not installed: its package would be below the folder of its agent. */
const packageDir = (): string => path.join(agentDir(), 'npm/node_modules/@earendil-works/pi-coding-agent')

export const folderNames = {
  CONFIG_DIR_NAME: '.pi',
  getAgentDir: agentDir,
  getPackageDir: packageDir,
  getDocsPath: (): string => path.join(packageDir(), 'docs'),
  getExamplesPath: (): string => path.join(packageDir(), 'examples'),
  getReadmePath: (): string => path.join(packageDir(), 'README.md'),
  getShellConfig: (shell = '/bin/bash'): PiRecord => ({ shell, args: ['-c'] }),
}

const languages: Readonly<Record<string, string>> = {
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  go: 'go',
  java: 'java',
  kt: 'kotlin',
  swift: 'swift',
  c: 'c',
  h: 'c',
  cpp: 'cpp',
  cc: 'cpp',
  hpp: 'cpp',
  cs: 'csharp',
  php: 'php',
  sh: 'bash',
  bash: 'bash',
  zsh: 'bash',
  ps1: 'powershell',
  sql: 'sql',
  html: 'html',
  css: 'css',
  scss: 'scss',
  json: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  toml: 'toml',
  xml: 'xml',
  md: 'markdown',
  lua: 'lua',
  dockerfile: 'dockerfile',
  makefile: 'makefile',
}

/** The name of the language by the end of the file's name; undefined if it is not known. */
export function getLanguageFromPath(file: string): string | undefined {
  const name = path.basename(file).toLowerCase()
  return languages[name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : name]
}

/** The entries from the start to `leafId`, by default to the last one. */
export function buildContextEntries(entries: readonly PiRecord[], leafId?: string | null): PiRecord[] {
  if (leafId === null) return []
  const byId = new Map(entries.map((entry) => [entry['id'], entry]))
  const branch: PiRecord[] = []
  let entry = leafId === undefined ? entries.at(-1) : byId.get(leafId)
  while (entry !== undefined && !branch.includes(entry)) {
    branch.unshift(entry)
    entry = byId.get(entry['parentId'])
  }
  return branch
}

/** The messages of a branch, as models would receive them. */
export function buildSessionContext(entries: readonly PiRecord[], leafId?: string | null): PiRecord {
  const messages = buildContextEntries(entries, leafId).flatMap((entry) => {
    if (entry['type'] !== 'custom_message') return entry['type'] === 'message' ? [entry['message']] : []
    const { customType, content, display, details, timestamp } = entry
    return [{ role: 'custom', customType, content, display, details, timestamp: Date.parse(String(timestamp)) }]
  })
  return { messages, thinkingLevel: 'off', model: null }
}
