// Adds what the extensions of a session bring to the parts that it is opened with.
import { EMPTY, concat, concatMap, defaultIfEmpty, filter, identity, map, of, pipe, take, takeLast } from 'rxjs'
import type { Observable } from 'rxjs'
import { joinHooks } from '../../operators/hooks/join-hooks.ts'
import { joinNotes } from '../../context/notes/join-notes.ts'
import type { ExtensionSet } from '../../extensions/lifecycle/set-contract.ts'
import type { SummaryRequest, Summariser } from '../../streams/ports/agent-context.ts'
import { joinSections } from '../../streams/ports/prompt-sections.ts'
import type { PromptSections } from '../../streams/ports/prompt-sections.ts'
import { readNow } from '../../streams/rx/read-now.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionParts } from '../contract/session-parts.ts'
import { withChoice } from '../roles/role-choice.ts'
import { extensionCommands } from './slash-commands.ts'
import { guardModels, modelOf } from './extension-models.ts'
import { extensionTransforms } from './extension-transforms.ts'
import { callHooks, extensionHooks } from './run-extension-hooks.ts'

/** The parts with the extensions' own; what the caller set goes first. */
export function withExtensions(parts: SessionParts, set: ExtensionSet): SessionParts {
  const { options, contextNotes, resolveModel, chooseModel, roles, beforeEnd$ = EMPTY } = parts
  const own = extensionHooks(set, parts.secrets)
  const { hooks, transformContext = identity, commands } = options
  return {
    ...parts,
    ...sectionParts(parts, set),
    contextNotes: joinNotes([contextNotes, set.notes]),
    resolveModel: (name) => (modelOf(set, name) ?? resolveModel?.(name) ?? unknownModel(name)).pipe(guardModels(set)),
    roles: roles && {
      ...roles,
      find: (choice) =>
        (modelOf(set, choice.name)?.pipe(map((found) => withChoice(found, choice))) ?? roles.find(choice)).pipe(
          guardModels(set),
        ),
    },
    ...(chooseModel && { chooseModel: () => chooseModel().pipe(guardModels(set)) }),
    beforeEnd$: concat(beforeEnd$, set.close()),
    options: {
      ...options,
      hooks: joinHooks([...(hooks === undefined ? [] : [hooks]), own]),
      transformContext: pipe(transformContext, extensionTransforms(set)),
      aroundSummary: aroundSummary(parts, set),
      commands: extensionCommands(set, commands),
    },
  }
}

function unknownModel(name: string): Observable<never> {
  throw new Failure('bad_request', `This session cannot find models by name ("${name}")`)
}

/** The sections as the extensions change them, and the system prompt of them. */
function sectionParts(
  { settings, sectionsFor }: SessionParts,
  set: ExtensionSet,
): Pick<SessionParts, 'settings' | 'sectionsFor'> {
  if (sectionsFor === undefined) return { settings }
  const changed = (tools: Parameters<typeof sectionsFor>[0]): PromptSections => changeSections(sectionsFor(tools), set)
  let last: { readonly opened: ReturnType<typeof settings>; readonly changed: ReturnType<typeof settings> } | undefined
  return {
    sectionsFor: changed,
    settings: () => {
      const opened = settings()
      if (set.contributions.sections.entries.length === 0) return opened
      if (last?.opened !== opened)
        last = { opened, changed: { ...opened, system: joinSections(changed(opened.tools)) } }
      return last.changed
    },
  }
}

/** A transform that fails, or does not emit at once, is a fault: the sections stay as they are. */
function changeSections(sections: PromptSections, { contributions, faults }: ExtensionSet): PromptSections {
  return contributions.sections.entries.reduce((before, { owner, value }) => {
    try {
      const after = readNow(of(before).pipe(value, takeLast(1)))
      if (after !== undefined) return after
      throw new Failure('bad_request', 'it has to emit the sections at once, and complete')
    } catch (thrown) {
      faults.report(owner, 'a transform of the prompt sections', thrown)
      return before
    }
  }, sections)
}

/** The hook `compact` may cancel, or bring the summary itself. */
function aroundSummary({ options }: SessionParts, set: ExtensionSet): NonNullable<typeof options.aroundSummary> {
  return (summary$: ReturnType<Summariser>, request: SummaryRequest) => {
    const usual$ = options.aroundSummary?.(summary$, request) ?? summary$
    if (set.contributions.hooks.compact.entries.length === 0) return usual$
    return callHooks(set, 'compact', request).pipe(
      filter(({ cancel, summary }) => cancel !== undefined || summary !== undefined),
      take(1),
      defaultIfEmpty(undefined),
      concatMap((answer) => {
        if (answer?.cancel !== undefined) {
          throw new Failure('cancelled', `An extension cancelled the compaction: ${answer.cancel.reason}`)
        }
        return answer?.summary === undefined ? usual$ : of(answer.summary)
      }),
    )
  }
}
