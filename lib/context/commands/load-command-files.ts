// Loads skills and templates from their folders: parses changed files, and resolves equal names.
import { realpathSync } from 'node:fs'
import type { CommandProblem } from '../../streams/ports/prompt-commands.ts'
import { readFrontmatter } from '../files/frontmatter.ts'
import type { ParseYaml } from '../files/frontmatter.ts'
import { readBoundedText } from '../files/read-bounded-text.ts'
import { walkFolder } from '../files/walk-folder.ts'
import type { FoundFile, WalkOptions } from '../files/walk-folder.ts'
import { parseSkill } from '../skills/parse-skill.ts'
import type { Skill } from '../skills/parse-skill.ts'
import { parseTemplate } from '../templates/parse-template.ts'
import type { Template } from '../templates/parse-template.ts'
import type { CommandFolder, CommandFolders } from './command-folders.ts'

export type Sourced<Item> = Item & Pick<CommandFolder, 'source' | 'package' | 'extension'>

export interface CommandFiles {
  readonly skills: readonly Sourced<Skill>[]
  readonly templates: readonly (Sourced<Template> & { readonly path: string })[]
  readonly problems: readonly CommandProblem[]
}

interface ParsedFile {
  readonly skill?: Skill
  readonly template?: Template
  readonly problems: readonly CommandProblem[]
}

/** Parsed files by path, with the stamp that they had. Replaced by those of the last loading. */
export type ParsedFiles = ReadonlyMap<string, ParsedFile & { readonly stamp: string }>

export interface Loaded extends CommandFiles {
  readonly parsed: ParsedFiles
}

export interface LoadOptions {
  /**
   * The last loading; none yet: the files of a project are those that a person trusts, and later changes do not count.
   */
  readonly last?: ParsedFiles | undefined
  readonly parseYaml: ParseYaml | undefined
}

const changedMessage = 'it changed since the session was opened; open the session again, which asks if you trust it'
export const maxSkillBytes = 262_144
const maxHeadBytes = 16_384
const maxTemplateBytes = 65_536

/** Returns undefined if a file needs `parseYaml`, and there is none. Files that did not change are not read. */
export function loadCommandFiles(
  { skills, templates, problems: known = [] }: CommandFolders,
  { last, parseYaml }: LoadOptions,
): Loaded | undefined {
  const parsed = new Map<string, ParsedFile & { readonly stamp: string }>()
  const problems = [...known]
  const unread: FoundFile[] = []
  const collect = (folders: readonly CommandFolder[], kind: Kind) =>
    withoutRepeats(folders).flatMap(({ folder, ...origin }) => {
      const walked = walkFolder(folder, kind)
      problems.push(...walked.problems)
      return walked.files.flatMap((file) => {
        const before = last?.get(file.path)
        const isKnown = before?.stamp === file.stamp
        if (!isKnown && origin.source === 'project' && last !== undefined) {
          problems.push({ path: file.path, level: 'error', message: changedMessage })
          return []
        }
        const each = isKnown ? before : kind.parse(file, parseYaml)
        if (each === undefined) {
          unread.push(file)
          return []
        }
        parsed.set(file.path, { ...each, stamp: file.stamp })
        problems.push(...each.problems)
        return [{ ...each, path: file.path, origin }]
      })
    })
  const foundSkills = collect(skills, skillFiles).flatMap(({ skill, origin }) =>
    skill ? [{ ...skill, ...origin }] : [],
  )
  const foundTemplates = collect(templates, templateFiles).flatMap(({ template, path, origin }) =>
    template ? [{ ...template, path, ...origin }] : [],
  )
  if (unread.length > 0) return undefined
  return {
    skills: firstOfName(foundSkills, problems),
    templates: firstOfName(foundTemplates, problems),
    problems,
    parsed,
  }
}

interface Kind extends WalkOptions {
  parse(file: FoundFile, parseYaml: ParseYaml | undefined): ParsedFile | undefined
}

/** A folder with a SKILL.md is one skill; others are searched for skills. */
const skillFiles: Kind = {
  choose: (names) =>
    names.includes('SKILL.md') ? { files: ['SKILL.md'], descend: false } : { files: [], descend: true },
  parse: (file, parseYaml) => {
    if (file.bytes > maxSkillBytes) return refused(file, `it is larger than ${maxSkillBytes / 1_024} KiB`)
    return parseFile(file, maxHeadBytes, parseYaml, (frontmatter) => parseSkill(file.path, frontmatter))
  },
}

const templateFiles: Kind = {
  choose: (names) => ({ files: names.filter((name) => name.endsWith('.md') && !name.startsWith('.')), descend: true }),
  maxDepth: 3,
  parse: (file, parseYaml) => {
    if (file.bytes > maxTemplateBytes) return refused(file, `it is larger than ${maxTemplateBytes / 1_024} KiB`)
    return parseFile(file, maxTemplateBytes, parseYaml, (frontmatter) => parseTemplate(file.path, frontmatter))
  },
}

function parseFile(
  file: FoundFile,
  maxBytes: number,
  parseYaml: ParseYaml | undefined,
  parse: (frontmatter: NonNullable<ReturnType<typeof readFrontmatter>>) => ParsedFile,
): ParsedFile | undefined {
  const read = readBoundedText(file.path, maxBytes)
  if (read === undefined) return { problems: [] } // removed meanwhile
  if ('problem' in read) return refused(file, `it could not be read: ${read.problem}`)
  const frontmatter = readFrontmatter(read.text, parseYaml)
  return frontmatter && parse(frontmatter)
}

function refused({ path }: FoundFile, message: string): ParsedFile {
  return { problems: [{ path, level: 'error', message }] }
}

/** One of two names of the same folder: people link `.claude/skills` to `.agents/skills`. */
function withoutRepeats(folders: readonly CommandFolder[]): readonly CommandFolder[] {
  const known = new Set<string>()
  return folders.filter(({ folder }) => {
    const real = realFolder(folder)
    if (real === undefined || known.has(real)) return false
    known.add(real)
    return true
  })
}

function realFolder(folder: string): string | undefined {
  try {
    return realpathSync(folder)
  } catch {
    return undefined // missing: it defines nothing; or not accessible, which is the same for this user
  }
}

function firstOfName<Item extends { readonly name: string; readonly path: string }>(
  items: readonly Item[],
  problems: CommandProblem[],
): readonly Item[] {
  const named = new Map<string, Item>()
  for (const item of items) {
    const first = named.get(item.name)
    if (first === undefined) named.set(item.name, item)
    else
      problems.push({
        path: item.path,
        level: 'error',
        message: `its name ${item.name} is taken by ${first.path}, which comes first`,
      })
  }
  return [...named.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
}
