// Builds the system prompt of a session: from options and files to sections, constant while the session is open.
import { of, takeLast } from 'rxjs'
import { buildSections } from '../../context/index.ts'
import type { PromptFiles } from '../../context/index.ts'
import { gitBranch } from '../../host/files/git-branch.ts'
import type { PromptSections, PromptTransform, SectionName } from '../../streams/ports/prompt-sections.ts'
import type { ToolDefinition } from '../../streams/ports/tool.ts'
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
  /** The texts of `instructions`, `skills` and `scenario`. */
  readonly texts?: Readonly<Partial<Record<SectionName, string>>>
  /** Changes the sections. */
  readonly transform?: PromptTransform | undefined
}

/**
 * Returns the sections for a list of tools. Files, branch and date are read once, now: the same tools give the same bytes.
 */
export function sessionPrompt({
  cwd,
  createdAt,
  system,
  appendSystem = '',
  files = {},
  texts = {},
  transform,
}: SessionPromptOptions): (tools: readonly ToolDefinition[]) => PromptSections {
  const append = [system === undefined ? (files.append ?? '') : '', appendSystem].filter((text) => text !== '')
  const facts = {
    cwd,
    platform: process.platform,
    startedAt: new Date(createdAt),
    branch: system === undefined ? gitBranch(cwd) : undefined,
    own: files.own,
    texts: { ...texts, append: append.join('\n\n') },
  }
  return (tools) => {
    const sections = system === undefined ? buildSections({ ...facts, tools }) : wholePrompt(system, facts.texts.append)
    return transform === undefined ? sections : transformSections(sections, transform)
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
  let failure: Failure | undefined
  const subscription = of(sections)
    .pipe(transform, takeLast(1))
    .subscribe({
      next: (next) => (result = next),
      error: (error: unknown) => (failure = Failure.from(error, 'bad_request')),
    })
  subscription.unsubscribe()
  if (failure !== undefined) throw failure
  if (result === undefined)
    throw new Failure('bad_request', 'The option promptSections has to emit the sections at once, and complete')
  return result
}
