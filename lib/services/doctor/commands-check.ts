// Checks the skills and prompt templates, and lists their folders and faults.
import { homedir } from 'node:os'
import { catchError, defer, map, mergeMap, of } from 'rxjs'
import type { Observable, ObservedValueOf } from 'rxjs'
import { commandFolders, createPromptCommands } from '../../context/index.ts'
import type { CommandFolders } from '../../context/index.ts'
import type { CommandNamed, ResultOf } from '../../streams/commands/command.ts'
import type { InstalledTexts, PromptCommands } from '../../streams/ports/prompt-commands.ts'
import { Failure } from '../../streams/values/failure.ts'
import { sessionPackages } from '../../session/create/session-packages.ts'
import { projectTrust } from '../../session/create/project-trust.ts'
import { countOf } from '../../streams/values/count-of.ts'

type CommandList = ObservedValueOf<ReturnType<PromptCommands['list']>>
type Check = ResultOf<'doctor'>['checks'][number]

/** Problems that are named; the others are counted. */
const mostProblems = 20

/** Emits once and never fails: one check for all, and one for each problem. */
export function commandsCheck(
  { cwd, env = {} }: Pick<CommandNamed<'doctor'>, 'cwd' | 'env'>,
  { config, home }: { readonly config: string; readonly home: string },
): Observable<readonly Check[]> {
  return defer(() => {
    const { trusted, folder } = projectTrust({ cwd }, home)
    const homeFolder = env['HOME'] ?? homedir()
    return sessionPackages(home).pipe(
      mergeMap((packages) => {
        const folders = commandFolders({ config, homeFolder, project: trusted ? folder : undefined, packages })
        return createPromptCommands(folders)
          .list()
          .pipe(map((list) => [overview(list, folders, trusted), ...packagesCheck(packages), ...problemChecks(list)]))
      }),
    )
  }).pipe(
    catchError((error: unknown) => of([note('skills', false, Failure.from(error).message)])), // a broken trust file
  )
}

function overview({ commands }: CommandList, { skills, templates }: CommandFolders, isTrusted: boolean): Check {
  const count = (kind: string): number => commands.filter((command) => command.kind === kind).length
  const found = `${countOf(count('skill'), 'skill')} and ${countOf(count('template'), 'template')}`
  const names = (folders: CommandFolders['skills']): string => folders.map(({ folder }) => folder).join(', ')
  const project = isTrusted ? '' : '; .rxpi, .agents and .claude of this folder count once you trust it'
  const where = `skills are looked for in ${names(skills)}; templates in ${names(templates)}${project}`
  return note('skills', true, `${found}; ${where}`)
}

/** None without packages. */
function packagesCheck({ packages }: InstalledTexts): Check[] {
  if (packages.length === 0) return []
  const names = packages.map(({ name }) => name).join(', ')
  return [
    note(
      'packages',
      true,
      `${countOf(packages.length, 'package')} installed: ${names}; rxpi list shows what each brings`,
    ),
  ]
}

function problemChecks({ problems }: CommandList): Check[] {
  const shown = problems.slice(0, mostProblems)
  const left = problems.length - shown.length
  return [
    ...shown.map(({ path, level, message }) => problemCheck(path, level, message)),
    ...(left === 0 ? [] : [note('skills', false, `and ${left} more problems; list_commands names all`)]),
  ]
}

/** Says whether the file counts: a warning alone reads like an error beside its `ok`. */
function problemCheck(path: string, level: string, message: string): Check {
  return level === 'error'
    ? note('skills', false, `${path} is not used: ${message}`)
    : note('skills', true, `${path} is used, but ${message}`)
}

function note(name: string, ok: boolean, message: string): Check {
  return { name, ok, required: false, message }
}
