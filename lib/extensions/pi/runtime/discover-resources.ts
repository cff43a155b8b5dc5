// Adds the skills and prompt templates that a module of pi finds, as commands of the session.
import { glob, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { Failure } from '../../../streams/values/failure.ts'
import { parseFrontmatter } from '../modules/pi-frontmatter.ts'
import type { PiRuntime, PiSkill } from '../contract/pi-runtime.ts'
import { emitEvent } from './emit-event.ts'

/** Asks the handlers of `resources_discover`. A file that cannot be read is reported, and the others count. */
export async function discoverResources(runtime: PiRuntime): Promise<void> {
  const { api, limits } = runtime
  const found = { skillPaths: new Array<string>(), promptPaths: new Array<string>(), themePaths: new Array<string>() }
  await emitEvent(
    runtime,
    'resources_discover',
    () => ({ cwd: api.session.cwd, reason: 'startup' }),
    (answer) => {
      for (const [kind, paths] of Object.entries(found)) paths.push(...((answer[kind] as string[] | undefined) ?? []))
      return false
    },
  )
  for (const file of found.skillPaths) await addPath(runtime, file, 'skill')
  for (const file of found.promptPaths) await addPath(runtime, file, 'template')
  if (found.themePaths.length > 0) limits.report('themePaths of resources_discover', 'the client chooses its theme')
}

/** A folder brings its Markdown files; one of skills the `SKILL.md` of its folders too. */
async function addPath(runtime: PiRuntime, named: string, kind: 'skill' | 'template'): Promise<void> {
  const file = path.resolve(runtime.api.session.cwd, named)
  const isFolder = await stat(file).then(
    (status) => status.isDirectory(),
    () => false, // reading it says why
  )
  if (!isFolder) return addFile(runtime, file, kind)
  const pattern = kind === 'skill' ? '{*.md,**/SKILL.md}' : '*.md'
  const exclude = (name: string): boolean => path.basename(name) === 'node_modules'
  const names: string[] = []
  for await (const name of glob(pattern, { cwd: file, exclude })) if (names.push(name) === mostFiles) break
  const roots = names.includes('SKILL.md') ? ['SKILL.md'] : names.toSorted()
  for (const name of roots) await addFile(runtime, path.join(file, name), kind)
}

/** Of one folder. */
const mostFiles = 200

async function addFile({ api, skills }: PiRuntime, file: string, kind: 'skill' | 'template'): Promise<void> {
  try {
    const { frontmatter, body } = parseFrontmatter(await readFile(file, 'utf8'))
    const stem = path.basename(file, '.md')
    const own = kind === 'skill' ? (text(frontmatter['name']) ?? path.basename(path.dirname(file))) : stem
    const description = text(frontmatter['description']) ?? `A ${kind} of an extension`
    const prompt = (args: string): string =>
      kind === 'skill'
        ? `<skill name="${own}" location="${file}">\nReferences are relative to ${path.dirname(file)}.\n\n${body.trim()}\n</skill>${args === '' ? '' : `\n\n${args}`}`
        : body.trim().replaceAll(/\$ARGUMENTS|\$@/g, () => args)
    if (kind === 'skill') skills.push({ name: own, description, path: file })
    const name = kind === 'skill' ? `skill:${own}` : own
    api.commands.register({
      name,
      description,
      run: (args) => ({ prompt: prompt(args), invocation: { kind, name: own, ...(args !== '' && { args }) } }),
    })
  } catch (error) {
    api.ui.notify(`The ${kind} ${file} cannot be read: ${Failure.from(error).message}`, 'warning')
  }
}

/** Describes the skills for models. */
export function skillPrompt(skills: readonly PiSkill[]): string {
  if (skills.length === 0) return ''
  const lines = skills.map(({ name, description, path: file }) => `- ${name}: ${description} (${file})`)
  return ['Skills of an extension; read the file of one when its task comes up:', ...lines].join('\n')
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
