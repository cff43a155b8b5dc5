// Takes over MCP servers from Claude Code, codex, Cursor and VS Code, into the user's settings.
// Guarantees: adds only what the command names; keys are shown by name and copied into the private file alone.
import { homedir } from 'node:os'
import { concat, defer, from, ignoreElements, mergeMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { clientHome } from '../../host/files/paths.ts'
import { editSetting, readSettingsFile, settingsFile } from '../../store/index.ts'
import { summariseServer } from '../../store/config/project-servers.ts'
import type { ResultOf } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Fields } from '../contract/server-backend.ts'
import { checkFolder } from '../stored/check-path.ts'
import { readForeignServers } from './read-foreign-servers.ts'
import type { ForeignServer } from './read-foreign-servers.ts'

/** Emits once; fails with `bad_request` if there is no file, or for a name of `add` that cannot be added. */
export function importServers(
  { from: source, add = [], cwd, env = {} }: Fields<'mcp_import'>,
  config: string,
): Observable<ResultOf<'mcp_import'>> {
  checkFolder(cwd)
  const home = clientHome(env) ?? homedir()
  return readForeignServers(source, { home, cwd }).pipe(
    mergeMap(({ files, servers }) => {
      const present = readSettingsFile(config).value.mcpServers ?? {}
      const wanted = add.map((name) => checkWanted(name, servers, present))
      const added$ = from(wanted).pipe(
        mergeMap(({ name, entry }) => editSetting(config, `mcpServers.${name}`, entry), 1),
        ignoreElements(),
      )
      const result = {
        files: [...files],
        file: settingsFile(config),
        servers: servers.map((each) => rowOf(each, { present, added: add })),
      }
      return concat(
        added$,
        defer(() => of(result)),
      )
    }),
  )
}

/** @throws Failure `bad_request` */
function checkWanted(name: string, servers: readonly ForeignServer[], present: object): ForeignServer {
  const found = servers.find((each) => each.name === name)
  if (found === undefined)
    throw new Failure('bad_request', `There is no MCP server "${name}" to add; nothing was added`)
  if (found.problem !== undefined) throw new Failure('bad_request', `${name} cannot be added: ${found.problem}; nothing was added`) // prettier-ignore
  if (Object.hasOwn(present, name))
    throw new Failure('bad_request', `Your settings have an MCP server ${name} already; nothing was added`)
  return found
}

function rowOf(
  { name, entry, problem }: ForeignServer,
  { present, added }: { readonly present: object; readonly added: readonly string[] },
): ResultOf<'mcp_import'>['servers'][number] {
  return {
    ...summariseServer(name, entry),
    ...(Object.hasOwn(present, name) ? { present: true } : {}),
    ...(added.includes(name) ? { added: true } : {}),
    ...(problem === undefined ? {} : { problem }),
  }
}
