// Texts of the protocol page: the commands of a connection, a run and an open session.

import { entryId, header, job, model, opened, session } from './protocol-samples.ts'
import type { CommandGroup } from './protocol-note.ts'
import { authCommandGroups } from './protocol-auth-commands.ts'
import { configCommandGroups } from './protocol-config-commands.ts'
import { contextCommandGroups } from './protocol-context-commands.ts'
import { modelCommandGroups } from './protocol-model-commands.ts'
import { extensionCommandGroups } from './protocol-extension-commands.ts'
import { surfaceCommandGroups } from './protocol-surface-commands.ts'
import { mcpCommandGroups } from './protocol-mcp-commands.ts'
import { policyCommandGroups } from './protocol-policy-commands.ts'
import { storedCommandGroups } from './protocol-stored-commands.ts'
import { scenarioCommandGroups } from './protocol-scenario-commands.ts'
import { workspaceCommandGroups } from './protocol-workspace-commands.ts'

export const commandGroups: readonly CommandGroup[] = [
  {
    title: 'The connection',
    commands: {
      hello: {
        does: 'Identifies the client. `client` is its name (1 to 20 letters, digits and dashes), also for its tools. With `ui: true` people can answer questions through it; with `questions: true` too, it also shows the event `question`. A later `hello` changes the fields that it has.',
        errors: [],
        ask: { client: 'my-editor', ui: true },
        answer: {},
      },
      ping: { does: 'Returns an empty result.', errors: [], ask: {}, answer: {} },
      cancel: {
        does: 'Ends an open request of this connection with `cancelled`. The work that it started goes on; `abort` ends a run.',
        errors: [],
        ask: { target: '7' },
        answer: { cancelled: true },
      },
      attach: {
        does: 'Opens the session if necessary and sends its events: see “Following a session”. A connection has one attachment to a session; another `attach` replaces it.',
        errors: ['unknown_session', 'session_locked', 'storage'],
        ask: { session, after: 0 },
        answer: { channel: 1, head: 2, headEntryId: null, header, queue: [], requests: [] },
      },
      channel_result: {
        does: 'The result of a `channel_call`: once, and only from the connection that received the call. See “Tools of a client”.',
        errors: [],
        ask: { callId: 'c4d5e6f7', content: [{ type: 'text', text: 'src/main.ts' }] },
        answer: {},
      },
      detach: { does: 'Ends the attachment. The session and its run go on.', errors: [], ask: { session }, answer: {} },
      ui_response: {
        does: 'Answers a `ui_request` or a `question`: see “Questions to people”. Refused (`bad_request`, `data.resolvedBy`) if it is already resolved.',
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
        does: 'Creates a session in the absolute folder `cwd`. `env` is the environment of its tools and the source of its keys; the server holds it in memory only. `store: false` writes nothing to disk. `title` has at most 200 characters. `model` is `provider/id`; `demo/guide` needs no key and calls the real tools by fixed rules: “What is in this folder?”, “read a.txt”, “run ls”. Without a usable model the session still opens: `model` is null, and a notice with the code `no_model` names the reason. With `requireModel` the command fails with `no_model` instead and creates nothing. `tools` are the names of the active tools; default: those of the settings, else the usual ones. `approve` is the mode of approval and `sandbox` the place of commands, else those of the settings. `trust` makes the configuration of the folder count for this session, as if a person trusted it. `system` replaces the system prompt, `appendSystem` is added at its end; with `instructions: false` no `AGENTS.md` and no other instruction file is read. `extensions` are absolute paths of extensions that count beside the configured ones; each still needs its trust. `leaving` is the session that the client leaves for this one: extensions of that session may refuse (`not_allowed`). With `endWithLastClient` the run ends as `client_disconnected` when the last client that opened the session or attached to it has disconnected. `mcpServers` are servers that the client brings for this session alone: see [MCP servers](mcp.md#servers-of-a-client). With `offerDemo` the demo model answers as long as no session of this user ever had a usable model. Line 1 of the log has the `model`, `thinkingLevel` and `tools` of the client as `chosen`: they hold until the log chooses others, also for a client that only opens the session. The response comes when line 1 is durable.',
        errors: ['bad_config', 'no_model', 'storage'],
        ask: { cwd: '/home/ada/project', env: { PATH: '/usr/bin:/bin', HOME: '/home/ada' } },
        answer: opened,
      },
      open_session: {
        does: 'Opens a session by its id, or the latest one of `cwd`; the other fields are those of `new_session`, without `store` and `title`. An open session is joined unchanged, with a notice. Tools work in the folder of the session. If another process holds the session, this server follows it: `readOnly` names the holder, and commands that write are refused. When that process has closed it, the next `open_session` opens it for writing. `model` is null if the model of the log is not usable any more.',
        errors: ['unknown_session', 'session_locked', 'bad_config', 'no_model', 'storage'],
        ask: { session, cwd: '/home/ada/project' },
        answer: opened,
      },
      close_session: {
        does: 'Closes the session on this server: its log, its lock and its memory. `closed` is false if it was not open here. Refused (`busy`) during a run, a job or an open question, or while another client has it open (`data.clients`). The attachment of the caller ends. `open_session` opens it again.',
        errors: ['busy', 'storage'],
        ask: { session },
        answer: { closed: true },
      },
      replay_session: {
        does: 'Plays a recorded session, or a session file of rxpi or pi by its absolute path, as a read-only session. It starts with the first `attach`. `speed` 1 is the recorded speed, 0 does not wait; `maxPauseMs` (5,000) limits a pause.',
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
        does: 'Starts a run. The response comes when the message is durable. During a run the prompt is refused (`busy`), or queued with `whileRunning`. `outputSchema` (a JSON Schema) asks for a JSON document as the last answer: through the provider’s API if possible, and in the system prompt. The client checks the document. A session without a usable model chooses one again first, and fails with `no_model` if there is none. A `text` that begins with `/NAME` of `list_commands` is expanded: the message has the text that the model gets, and `invocation` what was typed. Any other text is sent as it is; `expand: false` sends every text as it is. This holds for `steer`, `follow_up` and `edit_queued` too. Fails with `cancelled` if an `abort` comes while a hook, the expansion or the choice of a model takes time.',
        errors: ['busy', 'no_model', 'unknown_session', 'cancelled', 'read_only', 'storage'],
        ask: { session, text: 'What is in this folder?' },
        answer: { status: 'started', runId: 'k3v7pq2a' },
      },
      continue: {
        does: 'Starts a run without a new message: from an input or a result at the end of the transcript, or from the queue. It needs a model as `prompt` does.',
        errors: ['busy', 'no_model', 'unknown_session', 'cancelled', 'read_only', 'storage'],
        ask: { session },
        answer: { status: 'started', runId: 'k3v7pq2a' },
      },
      steer: {
        does: 'Queues a message for the run, delivered after the running tools. Without a run it waits for the next one.',
        errors: ['unknown_session', 'read_only', 'storage'],
        ask: { session, text: 'Only the tests, please.' },
        answer: { queueId: 'q5m2xw7c' },
      },
      follow_up: {
        does: 'Queues a message for the run, delivered when the run would end.',
        errors: ['unknown_session', 'read_only', 'storage'],
        ask: { session, text: 'Then run them.' },
        answer: { queueId: 'q5m2xw7c' },
      },
      abort: {
        does: 'Ends the run: no further request, tool or process. Queued inputs stay queued. The response comes at `agent_settled`, or at once without a run. A `prompt` or `continue` of any client whose run has not started yet fails with `cancelled`. A compaction is cancelled too, and the response then has `compaction: true`.',
        errors: ['unknown_session', 'storage'],
        ask: { session },
        answer: {},
      },
      clear_queue: {
        does: 'Empties one queue or both.',
        errors: ['unknown_session', 'read_only', 'storage'],
        ask: { session, queue: 'steering' },
        answer: { cleared: 2 },
      },
      edit_queued: {
        does: 'Changes a queued message.',
        errors: ['unknown_session', 'read_only', 'storage'],
        ask: { session, queueId: 'q5m2xw7c', text: 'Only the unit tests.' },
        answer: {},
      },
      remove_queued: {
        does: 'Removes a queued message.',
        errors: ['unknown_session', 'read_only', 'storage'],
        ask: { session, queueId: 'q5m2xw7c' },
        answer: {},
      },
      user_bash: {
        does: 'Runs a command of the user in the folder and environment of the session, without a time limit, also during a run; at most 16 at a time. The response comes when its `job_start` is durable. Then come its output as `job_update` (standard output and errors in order of arrival) and its `job_end`. The `message` of `job_end`, of the role `bashExecution`, joins the conversation: at once, or at the end of the open turn. The next request contains it like a user message, unless `exclude` is set. `abort` does not end it.',
        errors: ['unknown_session', 'read_only', 'busy', 'overloaded', 'storage'],
        ask: { session, command: 'git status --short' },
        answer: { jobId: 'm4n5p6q7' },
      },
      kill_job: {
        does: 'Ends a command of the user, or a job of a tool: SIGTERM at once, SIGKILL after 2 s. The response comes when its `job_end` is written. The model learns that the job was stopped.',
        errors: ['unknown_session', 'read_only', 'storage'],
        ask: { session, jobId: 'm4n5p6q7' },
        answer: { killed: true },
      },
      list_jobs: {
        does: 'Returns the running jobs, and the last 16 ended ones of tools and of the user, in the order of their starts. `toolCallId` names the call that started a job; a command of the user has none. Jobs are held in memory: a session that was opened again has none.',
        errors: ['unknown_session'],
        ask: { session },
        answer: { jobs: [job] },
      },
      job_output: {
        does: 'Returns the output of a job after the offset `after` (UTF-16 units; 0 if absent), at most the last 128 Ki units, with its escape sequences. `offset` is the position at which `content` begins, so the next `after` is `offset` plus the length of `content`. `waitMs` (600,000 at most) waits until there is output after `after`, or after the present end, or until the job ends.',
        errors: ['unknown_session'],
        ask: { session, jobId: 'm4n5p6q7', after: 0, waitMs: 1_000 },
        answer: { job, content: 'Listening on http://localhost:5173\n', offset: 0 },
      },
    },
  },
  ...scenarioCommandGroups,
  ...workspaceCommandGroups,
  {
    title: 'Settings of a session',
    commands: {
      set_model: {
        does: 'The next request goes to this model, also in an active run. Returns the resolved model.',
        errors: ['unknown_session', 'read_only', 'bad_config', 'storage'],
        ask: { session, model: 'demo/guide' },
        answer: { model },
      },
      set_thinking_level: {
        does: 'Changes the thinking level, from the next request on.',
        errors: ['unknown_session', 'read_only', 'storage'],
        ask: { session, thinkingLevel: 'high' },
        answer: {},
      },
      set_active_tools: {
        does: 'Activates these registered tools, from the next request on.',
        errors: ['unknown_session', 'read_only', 'storage'],
        ask: { session, tools: ['read', 'edit'] },
        answer: {},
      },
      set_queue_mode: {
        does: 'Sets whether a run takes one message of a queue at a time, or all.',
        errors: ['unknown_session', 'read_only', 'storage'],
        ask: { session, queue: 'steering', mode: 'all' },
        answer: {},
      },
      set_approval_mode: {
        does: 'Sets which tool calls ask a person: `ask` all but reads, `writes` changes and commands that no sandbox confines, `auto` only critical commands, protected files and ask rules. Refused (`bad_request`) in a session without a policy. Open approvals for which the mode does not ask are resolved.',
        errors: ['unknown_session', 'read_only', 'storage'],
        ask: { session, mode: 'writes' },
        answer: {},
      },
      rename_session: {
        does: 'Sets the title of a session, at most 200 characters; `""` removes it. The session need not be open.',
        errors: ['unknown_session', 'session_locked', 'read_only', 'storage'],
        ask: { session, title: 'The build' },
        answer: {},
      },
      set_label: {
        does: 'Names an entry, with at most 200 characters; `null` removes the name. The session need not be open.',
        errors: ['unknown_session', 'session_locked', 'read_only', 'storage'],
        ask: { session, entryId, label: 'before the change' },
        answer: {},
      },
    },
  },
  ...contextCommandGroups,
  ...authCommandGroups,
  ...configCommandGroups,
  ...policyCommandGroups,
  ...mcpCommandGroups,
  ...extensionCommandGroups,
  ...surfaceCommandGroups,
  ...modelCommandGroups,
  ...storedCommandGroups,
]
