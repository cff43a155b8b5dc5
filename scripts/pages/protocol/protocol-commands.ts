// Each command that a connection, a run or an open session takes, as the page of the protocol tells it.

import { entryId, header, model, opened, session } from './protocol-samples.ts'
import type { CommandGroup } from './protocol-note.ts'
import { authCommandGroups } from './protocol-auth-commands.ts'
import { configCommandGroups } from './protocol-config-commands.ts'
import { modelCommandGroups } from './protocol-model-commands.ts'
import { keptCommandGroups } from './protocol-kept-commands.ts'

export const commandGroups: readonly CommandGroup[] = [
  {
    title: 'The connection',
    commands: {
      hello: {
        does: 'Says who the client is. `client` is its name, 1 to 20 letters, digits and dashes, which names its tools too; with `ui: true` people can answer questions through it. A later one changes what it names.',
        errors: [],
        ask: { client: 'my-editor', ui: true },
        answer: {},
      },
      ping: { does: 'Answers.', errors: [], ask: {}, answer: {} },
      cancel: {
        does: 'Ends a request of this connection that is not answered yet: it is answered `cancelled`. What it began goes on; a run is ended by `abort`.',
        errors: [],
        ask: { target: '7' },
        answer: { cancelled: true },
      },
      attach: {
        does: 'Opens the session where it is not open and sends what happens in it: see “Following a session”. One attachment a session and connection; another `attach` takes its place.',
        errors: ['unknown_session', 'session_locked', 'storage'],
        ask: { session, after: 0 },
        answer: { channel: 1, head: 2, headEntryId: null, header, queue: [], requests: [] },
      },
      channel_result: {
        does: 'What a `channel_call` came to; once, and only from the connection that was called. See “Tools of a client”.',
        errors: [],
        ask: { callId: 'c4d5e6f7', content: [{ type: 'text', text: 'src/main.ts' }] },
        answer: {},
      },
      detach: { does: 'Ends the attachment. The session and its run go on.', errors: [], ask: { session }, answer: {} },
      ui_response: {
        does: 'Answers a question: see “Questions to people”. Refused (`bad_request`, `data.resolvedBy`) where it is resolved already.',
        errors: ['not_allowed', 'unknown_session', 'storage'],
        ask: { session, requestId: 'abcdefghijklmnopqrstuvwxyz', outcome: 'once' },
        answer: {},
      },
    },
  },
  {
    title: 'Opening sessions',
    commands: {
      new_session: {
        does: 'Makes a session that works in `cwd` (absolute). `env` is what its tools and keys come from, held in memory only; `store: false` writes nothing to disk. `title` has at most 200 characters. `model` is `provider/id`; `demo/guide` needs no key and drives the real tools by fixed rules: “What is in this folder?”, “read a.txt”, “run ls”. Answered when line 1 of its log is durable.',
        errors: ['bad_config', 'storage'],
        ask: { cwd: '/home/ada/project', env: { PATH: '/usr/bin:/bin', HOME: '/home/ada' } },
        answer: opened,
      },
      open_session: {
        does: 'Opens a session by its id, or without one the latest of `cwd`. One that is open already is joined as it is, and a notice says so. Tools work in the session’s own folder. One that another process holds is followed: `readOnly` says who holds it, and commands that write are refused; opened again when that process has let go, it is written here.',
        errors: ['unknown_session', 'session_locked', 'bad_config', 'storage'],
        ask: { session, cwd: '/home/ada/project' },
        answer: opened,
      },
      replay_session: {
        does: 'Plays a recorded session, or a session file of rxpi or pi by its absolute path, as a read-only session that begins when somebody attaches. `speed` 1 is as it was, 0 as fast as can be; pauses are cut at `maxPauseMs` (5,000).',
        errors: ['unknown_session', 'read_only', 'storage'],
        ask: { session, speed: 10 },
        answer: { ...opened, readOnly: { code: 'read_only', message: 'A replay takes no commands' } },
      },
    },
  },
  {
    title: 'Runs',
    commands: {
      prompt: {
        does: 'Starts a run; answered when the message is durable. While a run is on it is refused, `busy`, or with `whileRunning` queued. With `outputSchema` (a JSON Schema) the last answer of the run is asked to be such a document: by the provider where its wire can be told, and in the system prompt in any case; who asks checks it.',
        errors: ['busy', 'unknown_session', 'read_only', 'storage'],
        ask: { session, text: 'What is in this folder?' },
        answer: { status: 'started', runId: 'k3v7pq2a' },
      },
      continue: {
        does: 'A run without a new message: on an input or a result that the transcript ends with, or on what is queued.',
        errors: ['busy', 'unknown_session', 'read_only', 'storage'],
        ask: { session },
        answer: { status: 'started', runId: 'k3v7pq2a' },
      },
      steer: {
        does: 'Queues a message that the run gets after the tools that are running; without a run it waits for the next one.',
        errors: ['unknown_session', 'read_only', 'storage'],
        ask: { session, text: 'Only the tests, please.' },
        answer: { queueId: 'q5m2xw7c' },
      },
      follow_up: {
        does: 'Queues a message that the run gets when it would end.',
        errors: ['unknown_session', 'read_only', 'storage'],
        ask: { session, text: 'Then run them.' },
        answer: { queueId: 'q5m2xw7c' },
      },
      abort: {
        does: 'Ends the run: no further request, tool or process. What is queued stays queued. Answered at `agent_settled`; at once where no run is on.',
        errors: ['unknown_session', 'storage'],
        ask: { session },
        answer: {},
      },
      clear_queue: {
        does: 'Takes everything out of one queue, or of both.',
        errors: ['unknown_session', 'read_only', 'storage'],
        ask: { session, queue: 'steering' },
        answer: { cleared: 2 },
      },
      edit_queued: {
        does: 'Changes a message that waits.',
        errors: ['unknown_session', 'read_only', 'storage'],
        ask: { session, queueId: 'q5m2xw7c', text: 'Only the unit tests.' },
        answer: {},
      },
      remove_queued: {
        does: 'Takes one message out of its queue.',
        errors: ['unknown_session', 'read_only', 'storage'],
        ask: { session, queueId: 'q5m2xw7c' },
        answer: {},
      },
      user_bash: {
        does: 'Runs a person’s own command with the session’s folder and environment, without a time limit, also while a run is on; 16 at a time. Answered when its `job_start` is durable. Then come its output as `job_update` (standard output and errors in the order of their arrival) and its `job_end`; what it came to is the `message` of that, of the role `bashExecution`, and becomes part of the conversation: at once, or, where a run is on, when the turn has ended. A model is told of it as of a user’s message with the next request, unless `exclude`. `abort` leaves it alone.',
        errors: ['unknown_session', 'read_only', 'busy', 'overloaded', 'storage'],
        ask: { session, command: 'git status --short' },
        answer: { jobId: 'm4n5p6q7' },
      },
      kill_job: {
        does: 'Ends a command that a person ran: SIGTERM at once, SIGKILL after 2 s. Answered when its `job_end` is written.',
        errors: ['unknown_session', 'read_only', 'storage'],
        ask: { session, jobId: 'm4n5p6q7' },
        answer: { killed: true },
      },
    },
  },
  {
    title: 'Files and tools of a session',
    commands: {
      get_diff: {
        does: 'What is different in the session’s folder, untracked files too, from what it was before its runs first changed a file: a unified diff a file, or the `reason` why there is none. Whoever changed them: what a person has edited since then counts too. Nothing that the repository configures is run for it. Refused (`bad_request`) where snapshots were off.',
        errors: ['unknown_session', 'storage', 'timeout'],
        ask: { session },
        answer: {
          files: [
            {
              path: 'src/main.ts',
              change: 'modified',
              diff: '--- src/main.ts\n+++ src/main.ts\n@@ -1,1 +1,1 @@\n-old\n+new\n',
            },
            { path: 'logo.png', change: 'created', reason: 'it is no text' },
          ],
          more: 0,
        },
      },
      list_tools: {
        does: 'The tools that are registered in a session that is open, and which of them are active.',
        errors: ['unknown_session'],
        ask: { session },
        answer: { tools: [{ name: 'read', description: 'Reads a file.', capability: 'read', active: true }] },
      },
      find_files: {
        does: 'Files and folders (with `/` at their end) below the folder of a session that is open, hidden ones too, as `.gitignore` files leave them, in git or not; without `.git`, and without names that are no UTF-8 or have control characters. With `query` those that have its letters in their order, the best first; without those that lie highest. The folder is looked at for 5 s and up to 100,000 files; what was seen is good for 3 s.',
        errors: ['unknown_session', 'storage'],
        ask: { session, query: 'main', limit: 20 },
        answer: { files: ['src/main.ts', 'src/domain/'], more: false, complete: true },
      },
    },
  },
  {
    title: 'Settings of a session',
    commands: {
      set_model: {
        does: 'The next request goes to this model, also of a run that is on. Answered with the model that the name stands for.',
        errors: ['unknown_session', 'read_only', 'bad_config', 'storage'],
        ask: { session, model: 'demo/guide' },
        answer: { model },
      },
      set_thinking_level: {
        does: 'From the next request on.',
        errors: ['unknown_session', 'read_only', 'storage'],
        ask: { session, thinkingLevel: 'high' },
        answer: {},
      },
      set_active_tools: {
        does: 'Names of registered tools; from the next request on.',
        errors: ['unknown_session', 'read_only', 'storage'],
        ask: { session, tools: ['read', 'edit'] },
        answer: {},
      },
      set_queue_mode: {
        does: 'Whether a run takes one message out of a queue at a time, or all that wait.',
        errors: ['unknown_session', 'read_only', 'storage'],
        ask: { session, queue: 'steering', mode: 'all' },
        answer: {},
      },
      rename_session: {
        does: 'Gives the session a title; `""` takes it away. It has at most 200 characters. Also of a session that is not open.',
        errors: ['unknown_session', 'session_locked', 'read_only', 'storage'],
        ask: { session, title: 'The build' },
        answer: {},
      },
      set_label: {
        does: 'Names an entry, with at most 200 characters; `null` takes the name away. Also of a session that is not open.',
        errors: ['unknown_session', 'session_locked', 'read_only', 'storage'],
        ask: { session, entryId, label: 'before the change' },
        answer: {},
      },
    },
  },
  ...authCommandGroups,
  ...configCommandGroups,
  ...modelCommandGroups,
  ...keptCommandGroups,
]
