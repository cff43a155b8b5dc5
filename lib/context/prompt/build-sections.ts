// Builds the sections of the system prompt.
// Guarantees: the same options give the same bytes; a session builds its prompt once, so that providers can cache it.
import type { PromptSections, SectionName } from '../../streams/ports/prompt-sections.ts'
import type { ToolDefinition } from '../../streams/ports/tool.ts'
import { defaultPreamble, defaultRules, defaultToolRules } from './default-texts.ts'

export interface PromptOptions {
  readonly cwd: string
  readonly tools: readonly ToolDefinition[]
  /** `linux`, `darwin` … */
  readonly platform: string
  /** The start of the session, in the user's time zone: a reopened session keeps it. */
  readonly startedAt: Date
  /** The branch at the start. Default: the folder belongs to no repository. */
  readonly branch?: string | undefined
  /** Replaces preamble, tools and rules: the text of `SYSTEM.md`. */
  readonly own?: string | undefined
  /** The texts of sections that are empty by default: instructions, skills, scenario, append. */
  readonly texts?: Readonly<Partial<Record<SectionName, string>>>
}

/** The sections of the default prompt; docs/context.md lists them. */
export function buildSections({ tools, own, texts = {}, ...facts }: PromptOptions): PromptSections {
  const names = new Set(tools.map(({ name }) => name))
  const words: PromptSections =
    own === undefined
      ? [
          { name: 'preamble', text: defaultPreamble },
          { name: 'tools', text: defaultToolRules(names) },
          { name: 'rules', text: defaultRules },
        ]
      : [
          { name: 'preamble', text: own },
          { name: 'tools', text: '' },
          { name: 'rules', text: '' },
        ]
  return [
    ...words,
    { name: 'instructions', text: texts.instructions ?? '' },
    { name: 'skills', text: names.has('read') || names.has('bash') ? (texts.skills ?? '') : '' },
    { name: 'folder', text: folderFacts(facts) },
    { name: 'scenario', text: texts.scenario ?? '' },
    { name: 'append', text: texts.append ?? '' },
  ]
}

function folderFacts({ cwd, platform, startedAt, branch }: Omit<PromptOptions, 'tools' | 'own' | 'texts'>): string {
  const lines = [`Folder: ${cwd}`, branch === undefined ? '' : `Branch: ${branch}`, `Platform: ${platform}`]
  return [...lines, `Date: ${formatDay(startedAt)}`].filter((line) => line !== '').join('\n')
}

/** The day in the local time zone, as YYYY-MM-DD. */
export function formatDay(date: Date): string {
  const padTwo = (value: number): string => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${padTwo(date.getMonth() + 1)}-${padTwo(date.getDate())}`
}
