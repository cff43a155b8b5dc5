// Texts of the protocol page: the commands on the files, tools and prompt commands of an open session.
import { session } from './protocol-samples.ts'
import type { CommandGroup } from './protocol-note.ts'

export const workspaceCommandGroups: readonly CommandGroup[] = [
  {
    title: 'Files and tools of a session',
    commands: {
      get_diff: {
        does: 'Returns the changes in the folder of the session since its runs first changed a file, with untracked files: a unified diff for each file, or the `reason` for its absence. Your own edits count too. It runs nothing that the repository configures. Refused (`bad_request`) if snapshots were off.',
        errors: ['unknown_session', 'storage', 'timeout'],
        ask: { session },
        answer: {
          files: [
            {
              path: 'src/main.ts',
              change: 'modified',
              diff: '--- src/main.ts\n+++ src/main.ts\n@@ -1,1 +1,1 @@\n-old\n+new\n',
            },
            { path: 'logo.png', change: 'created', reason: 'it is not text' },
          ],
          more: 0,
        },
      },
      list_tools: {
        does: 'Returns the registered tools of an open session, with their active state. `unlisted`: requests leave the tool out, and `search_tools` finds it ([tool-search](tool-search.md)).',
        errors: ['unknown_session'],
        ask: { session },
        answer: { tools: [{ name: 'read', description: 'Reads a file.', capability: 'read', active: true }] },
      },
      list_commands: {
        does: 'Returns what a prompt of an open session can begin with, after a slash: commands of extensions, skills (`skill:NAME`), templates, rxpi’s own commands, and scenarios ([scenarios](scenarios.md)). The files are read now. `problems` names files that define no command (`level: error`), and files that define one with a fault (`warning`). See [skills](skills.md).',
        errors: ['unknown_session'],
        ask: { session },
        answer: {
          commands: [
            {
              name: 'skill:pdf',
              kind: 'skill',
              description: 'Reads and fills PDF forms.',
              argument: '[text]',
              source: 'user',
              path: '/home/me/.agents/skills/pdf/SKILL.md',
            },
          ],
          problems: [
            { path: '/home/me/.claude/commands/x.md', level: 'error', message: 'it has no text' },
          ],
        },
      },
      find_resources: {
        does: 'Returns resources of the session’s MCP servers, which a prompt names as `@server:uri`, and templates. With `SERVER:…` it returns those of this server, and the URIs with the values that the server proposes for the variable that is being typed. The lists are those that the servers gave last; `servers` counts them. A session without servers has none.',
        errors: ['unknown_session'],
        ask: { session, query: 'notes:' },
        answer: {
          servers: [{ server: 'notes', resources: 2 }],
          resources: [
            { server: 'notes', uri: 'note:///today', name: 'Today', mimeType: 'text/markdown' },
            { server: 'notes', uri: 'note:///{day}', name: 'A day', template: true },
          ],
          more: false,
        },
      },
      find_files: {
        does: 'Returns files and folders (with a trailing `/`) below the folder of an open session, with hidden ones. It omits `.git`, ignored files (`.gitignore`, also without git), and names that are not UTF-8 or have control characters. With `query` it returns the names that have its letters in order, best first; without, the topmost ones. The search takes at most 5 s and 100,000 files; its result is cached for 3 s.',
        errors: ['unknown_session', 'storage'],
        ask: { session, query: 'main', limit: 20 },
        answer: { files: ['src/main.ts', 'src/domain/'], more: false, complete: true },
      },
    },
  },
]
