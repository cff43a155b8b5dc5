// Each command about sessions as they are kept, and about the machine, as the page of the protocol tells it.
import type { CommandGroup } from './protocol-note.ts'
import { entryId, file, header, message, session, usage, verdict } from './protocol-samples.ts'

export const keptCommandGroups: readonly CommandGroup[] = [
  {
    title: 'The tree of a session',
    commands: {
      branch_session: {
        does: 'Moves the head to an entry (`null`: before the first), and what comes next grows from there; with `newFile` a session of its own is made of the way to it, with `summarise` the branch that is left is summarised first. `restoreFiles` puts back what runs have changed of the files since, and refuses where others have changed them too, unless `force`; `dryRun` only tells what would be done.',
        errors: ['busy', 'unknown_session', 'session_locked', 'read_only', 'storage'],
        ask: { session, entryId },
        answer: { headEntryId: entryId },
      },
      undo: {
        does: 'Conversation and files as before the last run of the branch; files as in `branch_session`.',
        errors: ['busy', 'unknown_session', 'read_only', 'storage'],
        ask: { session },
        answer: { headEntryId: entryId, paths: ['src/main.ts'], kept: [] },
      },
      get_state: {
        does: 'What a session is at `seq`: what its next request is given, what is queued, asked and running, whether all its lines have been checked (`verified`). Of one that is not open, what its log says.',
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
        does: 'All entries of a session, or of a session file of rxpi or pi, on all branches, each with its first words, and the sessions that begin at one of them.',
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
        does: 'Whole entries of a session or a session file in the order of the log: the first 100, or `limit`, after a `seq` (`after`, default 0), or the last before one (`before`; not both), `more` where there are others on that side; of one branch, where `branch` names its end.',
        errors: ['unknown_session', 'storage'],
        ask: { session, after: 0, limit: 1 },
        answer: { entries: [{ entryId, parentId: null, seq: 4, message }], head: 41, headEntryId: entryId, more: true },
      },
      get_blob: {
        does: 'A part of an image or a result that the log keeps in a file of its own, by its hash: `data` is base64; from `offset`, `limit` bytes at most.',
        errors: ['unknown_session', 'storage'],
        ask: { session, hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', limit: 65_536 },
        answer: { bytes: 4, offset: 0, data: 'dGVzdA==' },
      },
      get_context: {
        does: 'What a model would be told at an entry, or at the head; `tokens` are estimated.',
        errors: ['unknown_session', 'storage'],
        ask: { session },
        answer: { entryId, messages: [message], tokens: 12 },
      },
      get_stats: {
        does: 'What a session has done and used.',
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
    title: 'Sessions as they are kept',
    commands: {
      list_sessions: {
        does: 'Sessions of `cwd`, or without one or with `all` of all folders, last event first: 1,000, or `limit`, of those behind `after`. Those that are open on this server have `live`: whether a run is on, and how many questions wait for people.',
        errors: ['unknown_session', 'storage'],
        ask: { cwd: '/home/ada/project', limit: 10 },
        answer: { sessions: [], total: 0, more: false, problems: [] },
      },
      switch_session: {
        does: 'It is what `open_session` without an id, and `rxpi -c`, go on with in its folder.',
        errors: ['unknown_session', 'storage'],
        ask: { session },
        answer: { cwd: '/home/ada/project' },
      },
      delete_session: {
        does: 'Removes its log and all that is kept for it alone.',
        errors: ['unknown_session', 'session_locked', 'storage'],
        ask: { session },
        answer: { removed: [file] },
      },
      import_session: {
        does: 'A session file of pi or rxpi, by its absolute path or as text, becomes a session of `cwd`. It brings no trust; `notes` say what did not stay what it was. Cancelled, timed out or cut off before it is answered, it leaves nothing; what one that failed has imported stays, and its error names it.',
        errors: ['storage'],
        ask: { cwd: '/home/ada/project', file },
        answer: { session, header, format: 'rxpi', messages: 12, notes: [], moreNotes: 0 },
      },
      export_session: {
        does: 'A session or a session file as text, or written to the absolute path `to`.',
        errors: ['unknown_session', 'storage'],
        ask: { session, format: 'markdown' },
        answer: { text: '# The build', characters: 11, notes: [], moreNotes: 0 },
      },
      verify_session: {
        does: 'Looks at every line of a log.',
        errors: ['unknown_session', 'storage'],
        ask: { session },
        answer: verdict,
      },
      repair_session: {
        does: 'Writes a repaired copy beside a damaged log, which is left as it is.',
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
        does: 'One tool call by hand, without a session.',
        errors: [],
        ask: { cwd: '/home/ada/project', name: 'read', args: { path: 'README.md' } },
        answer: { content: [{ type: 'text', text: '# The project' }], isError: false },
      },
      doctor: {
        does: 'What works here; never a key’s value.',
        errors: [],
        ask: { cwd: '/home/ada/project' },
        answer: { checks: [{ name: 'node', ok: true, required: true, message: 'Node 24.19.0' }] },
      },
      server_status: {
        does: 'Who serves, since when, and what it has to do.',
        errors: [],
        ask: {},
        answer: {
          pid: 4_711,
          version: '0.1.0',
          epoch: 'e5f6g7h2',
          startedAt: 1_700_000_000_000,
          uptimeMs: 60_000,
          clients: 1,
          sessions: { open: 1, running: 0 },
          memory: { rssBytes: 90_000_000, heapUsedBytes: 20_000_000 },
        },
      },
      shutdown: {
        does: 'Ends every run (`server_shutdown`), closes every session, answers, then ends every connection.',
        errors: ['storage'],
        ask: {},
        answer: {},
      },
    },
  },
]
