// Builds the system prompt of a session: sections that stay constant while the session is open.
import { of, takeLast } from 'rxjs'
import {
  buildSections,
  contextNotes,
  instructionFolders,
  instructionSection,
  readInstructions,
  skillsSection,
} from '../../context/index.ts'
import type { PromptFiles, SkillSource } from '../../context/index.ts'
import { gitBranch } from '../../host/files/git-branch.ts'
import type { PromptSections, PromptTransform, SectionName } from '../../streams/ports/prompt-sections.ts'
import type { ToolDefinition } from '../../streams/ports/tool.ts'
import type { SessionParts } from '../contract/session-parts.ts'
import { readNow } from '../../streams/rx/read-now.ts'
import { Failure } from '../../streams/values/failure.ts'

export interface SessionPromptOptions {
  readonly cwd: string
  /** Unix ms: of the session's header. */
  readonly createdAt: number
  /** The whole prompt: sections, files and facts are left out. */
  readonly system?: string | undefined
  /** Added at the end, after that of `files`. */
  readonly appendSystem?: string | undefined
  readonly files?: PromptFiles | undefined
  /** Reads instruction files. Default: none are read. */
  readonly instructions?: { readonly configFolder?: string } | undefined
  /** Skills for the prompt, and for notes about those that come later. Default: none. */
  readonly skills?: SkillSource | undefined
  /** The texts of `skills` and `scenario`. */
  readonly texts?: Readonly<Partial<Record<SectionName, string>>>
  /** Changes the sections. */
  readonly transform?: PromptTransform | undefined
}

export interface SessionPrompt extends Pick<SessionParts, 'contextNotes'> {
  sectionsFor(tools: readonly ToolDefinition[]): PromptSections
}

/**
 * Returns the sections for a list of tools, and the notes about later changes. Files, branch and date are read once,
 * now: the same tools give the same bytes.
 */
export function sessionPrompt(options: SessionPromptOptions): SessionPrompt {
  const { system, appendSystem = '', files = {}, transform } = options
  const change = (sections: PromptSections): PromptSections =>
    transform === undefined ? sections : transformSections(sections, transform)
  if (system !== undefined) return { sectionsFor: () => change(wholePrompt(system, appendSystem)) }
  const { cwd, createdAt, instructions, skills, texts = {} } = options
  const configFolder = instructions?.configFolder
  const inPrompt = instructions && readInstructions(instructionFolders(cwd, configFolder).chain)
  const facts = { cwd, startedAt: new Date(createdAt), branch: gitBranch(cwd) }
  const append = [files.append ?? '', appendSystem].filter((text) => text !== '').join('\n\n')
  const own = {
    ...facts,
    platform: process.platform,
    own: files.own,
    texts: {
      instructions: instructionSection(inPrompt?.files ?? []),
      skills: skillsSection(skills?.inPrompt ?? []),
      ...texts,
      append,
    },
  }
  return {
    sectionsFor: (tools) => change(buildSections({ ...own, tools })),
    contextNotes: contextNotes({
      ...facts,
      ...(inPrompt === undefined ? {} : { inPrompt }),
      ...(configFolder === undefined ? {} : { configFolder }),
      skills,
    }),
  }
}

function wholePrompt(system: string, append: string): PromptSections {
  return [
    { name: 'system', text: system },
    { name: 'append', text: append },
  ]
}

/** @throws Failure `bad_request` if the transform fails or does not emit at once */
function transformSections(sections: PromptSections, transform: PromptTransform): PromptSections {
  let result: PromptSections | undefined
  try {
    result = readNow(of(sections).pipe(transform, takeLast(1)))
  } catch (error) {
    throw Failure.from(error, 'bad_request')
  }
  if (result === undefined)
    throw new Failure('bad_request', 'The option promptSections has to emit the sections at once, and complete')
  return result
}
