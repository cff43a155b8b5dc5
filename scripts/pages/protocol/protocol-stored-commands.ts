// Texts of the protocol page: the commands about stored sessions and about the machine.
import type { CommandGroup } from './protocol-note.ts'
import { entryId, file, header, message, session, usage, verdict } from './protocol-samples.ts'

export const storedCommandGroups: readonly CommandGroup[] = [
  {
    title: 'The tree of a session',
    commands: {
      branch_session: {
        does: 'Moves the head to an entry (`null`: before the first); new entries grow from there. `newFile` copies the path to the entry into a new session. `summarise` first summarises the branch that is left. `restoreFiles` restores the files that runs changed since; without `force` it refuses to overwrite edits of others. `dryRun` only returns the changes.',
        errors: ['busy', 'unknown_session', 'session_locked', 'read_only', 'storage'],
        ask: { session, entryId },
        answer: { headEntryId: entryId },
      },
      undo: {
        does: 'Resets conversation and files to before the last run of the branch; files as in `branch_session`.',
        errors: ['busy', 'unknown_session', 'read_only', 'storage'],
        ask: { session },
        answer: { headEntryId: entryId, paths: ['src/main.ts'], kept: [] },
      },
      get_state: {
        does: 'Returns the state of a session at `seq`: settings of the next request, queues, open questions, the active run, and `verified` (all lines are checked). For a session that is not open it returns the state of its log.',
        errors: ['unknown_session', 'storage'],
        ask: { session },
        answer: {
          seq: 41,
          header,
          headEntryId: entryId,
          model: 'demo/guide',
          thinkingLevel: 'off',
          activeTools: ['read', 'bash'],
          queueModes: {},
          tools: [],
          queue: [],
          requests: [],
          jobs: [],
          usage,
          open: true,
          verified: true,
        },
      },
      get_tree: {
        does: 'Returns all entries of a session, or of a session file of rxpi or pi, on all branches, each with its first words, whether it is `pinned`, and what the model receives instead of it at the head (`received`: `summarised`, `hidden`, `replaced`). It also returns the sessions that start at one of them.',
        errors: ['unknown_session', 'storage'],
        ask: { session },
        answer: {
          header,
          headEntryId: entryId,
          entries: [
            {
              entryId,
              parentId: null,
              role: 'user',
              firstWords: 'Hi',
              at: 1_700_000_000_100,
              seq: 4,
              isHead: true,
              isOnBranch: true,
            },
          ],
          children: [],
        },
      },
      get_entries: {
        does: 'Returns whole entries of a session or a session file, in log order: the first 100, or `limit`, after a `seq` (`after`, default 0), or the last ones before it (`before`; not both). `more`: there are others on that side. `branch` names the end of one branch. `summaries` are the compactions and branch summaries among the entries, at most 50; with a `branch`, `compaction` is the one that the model receives in place of earlier messages.',
        errors: ['unknown_session', 'storage'],
        ask: { session, after: 0, limit: 1 },
        answer: { entries: [{ entryId, parentId: null, seq: 4, message }], head: 41, headEntryId: entryId, more: true },
      },
      get_blob: {
        does: 'Returns a part of a blob by its hash: at most `limit` bytes from `offset`; `data` is base64.',
        errors: ['unknown_session', 'storage'],
        ask: { session, hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', limit: 65_536 },
        answer: { bytes: 4, offset: 0, data: 'dGVzdA==' },
      },
      get_context: {
        does: 'Returns the messages of a request at an entry, or at the head; `tokens` is an estimate. `request` is the next request of a session that this server has open: its sections, tools and messages with their tokens, and in `unlisted` the active tools that it leaves out.',
        errors: ['unknown_session', 'storage'],
        ask: { session },
        answer: { entryId, messages: [message], tokens: 12 },
      },
      get_stats: {
        does: 'Returns counts and usage of a session.',
        errors: ['unknown_session', 'storage'],
        ask: { session },
        answer: {
          runs: 1,
          turns: 2,
          messages: { user: 1, assistant: 2 },
          tools: { read: { calls: 1, errors: 0, durationMs: 4 } },
          usage,
          durationMs: 5_300,
        },
      },
    },
  },
  {
    title: 'Stored sessions',
    commands: {
      list_sessions: {
        does: 'Returns the sessions of `cwd`, or of all folders without `cwd` or with `all`, the last one written first, so that the first of a folder is the one that `open_session` without an id opens: 1,000, or `limit`, that follow `after`; `includeEmpty: false` leaves out sessions without a message. Sessions that are open on this server have `live`: the active run and the number of open questions. With `text`: only sessions that have it in their title or in a message of the user or the model, each with `match`, the words around it. Capital and small letters are the same.',
        errors: ['unknown_session', 'storage'],
        ask: { cwd: '/home/ada/project', limit: 10 },
        answer: { sessions: [], total: 0, more: false, problems: [] },
      },
      switch_session: {
        does: 'Makes the session the one that `open_session` without an id, and `rxpi -c`, continue in its folder.',
        errors: ['unknown_session', 'storage'],
        ask: { session },
        answer: { cwd: '/home/ada/project' },
      },
      delete_session: {
        does: 'Removes the log and all files that belong to this session only. An idle session is closed first: its other attached clients get a `status` with the code `session_closed`. A session with a run, a job or an open question is refused with `busy`, one that another process has open with `session_locked`.',
        errors: ['unknown_session', 'busy', 'session_locked', 'storage'],
        ask: { session },
        answer: { removed: [file] },
      },
      import_session: {
        does: 'Imports a session file of pi or rxpi, by its absolute path or as text, as a session of `cwd`. It grants no trust; `notes` list the changes. A cancelled, timed-out or disconnected import leaves nothing. A failed import leaves the session so far, and the error names it.',
        errors: ['storage'],
        ask: { cwd: '/home/ada/project', file },
        answer: { session, header, format: 'rxpi', messages: 12, notes: [], moreNotes: 0 },
      },
      export_session: {
        does: 'Returns a session or a session file as text, or writes it to the absolute path `to`: a new file of mode 0600, a device or a pipe. An existing file is replaced with `overwrite` only; a socket, a symbolic link or rxpi’s own files never.',
        errors: ['unknown_session', 'storage'],
        ask: { session, format: 'markdown' },
        answer: { text: '# The build', characters: 11, notes: [], moreNotes: 0 },
      },
      verify_session: {
        does: 'Checks every line of a log.',
        errors: ['unknown_session', 'storage'],
        ask: { session },
        answer: verdict,
      },
      repair_session: {
        does: 'Writes a repaired copy beside a damaged log; the log does not change.',
        errors: ['unknown_session', 'session_locked', 'storage'],
        ask: { file },
        answer: { ...verdict, lost: [], changed: [] },
      },
    },
  },
  {
    title: 'The machine and the server',
    commands: {
      run_tool: {
        does: 'Calls one tool without a session.',
        errors: [],
        ask: { cwd: '/home/ada/project', name: 'read', args: { path: 'README.md' } },
        answer: { content: [{ type: 'text', text: '# The project' }], isError: false },
      },
      doctor: {
        does: 'Returns what works on this machine, never the value of a key. `mcp NAME` is a check of an MCP server: its program, variables, address, sign-in and last problem; none is started. `accounts`, `extensions` and `token` (a file with the token of an HTTP address) can come several times.',
        errors: [],
        ask: { cwd: '/home/ada/project' },
        answer: { checks: [{ name: 'node', ok: true, required: true, message: 'Node 24.19.0' }] },
      },
      server_status: {
        does: 'Returns the process, its start and its load.',
        errors: [],
        ask: {},
        answer: {
          pid: 4_711,
          version: '0.2.0',
          epoch: 'e5f6g7h2',
          startedAt: 1_700_000_000_000,
          uptimeMs: 60_000,
          clients: 1,
          sessions: { open: 1, running: 0, active: 0 },
          memory: { rssBytes: 90_000_000, heapUsedBytes: 20_000_000 },
        },
      },
      shutdown: {
        does: 'Ends every run (`server_shutdown`), closes every session, sends the response, then closes every connection.',
        errors: ['storage'],
        ask: {},
        answer: {},
      },
    },
  },
]
