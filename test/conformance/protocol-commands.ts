// Cases of the commands.
import type { Section } from './chapter.ts'

export const protocolCommands: readonly Section[] = [
  {
    id: 'COMMAND',
    about: 'Commands.',
    cases: {
      'COMMAND-only': 'The command line and the UI use only commands of the wire.',
      'COMMAND-fields': 'The fields of each command are checked; a fault is refused with its path.',
      'COMMAND-prompt': 'The response is `started` when the message is durable, or `queued`.',
      'COMMAND-steer': 'The response has its id when its line is durable, like `follow_up`; without a run both wait.',
      'COMMAND-abort': 'The response comes at `agent_settled`.',
      'COMMAND-continue': 'The response comes when its start is durable, and once for one opId.',
      'COMMAND-queue': '`edit_queued` and `remove_queued` use ids; `clear_queue` empties a queue.',
      'COMMAND-user_bash':
        'A command of the user is a job; the model gets it unless it is excluded. `kill_job` ends it.',
      'COMMAND-set_model': 'Changes the model at the next request.',
      'COMMAND-set_thinking_level': 'Changes the level at the next request.',
      'COMMAND-set_active_tools': 'Changes the tools of each request.',
      'COMMAND-set_queue_mode': 'Changes the mode of a queue, which is stored.',
      'COMMAND-set_scenario_phase': 'Changes the phase of a scenario, which refuses calls from the next decision on.',
      'COMMAND-set_approval_mode': 'Changes which calls ask, also those that are open; refused without a policy.',
      'COMMAND-new_session': 'Creates a session in a folder, once for one opId.',
      'COMMAND-open_session': 'Opens a session by id, or the latest of a folder, once for all clients.',
      'COMMAND-switch_session': 'Makes a session the one that its folder continues with.',
      'COMMAND-branch_session': 'Continues from another entry, in the file or in a new one.',
      'COMMAND-undo': 'Resets conversation and files to before the last run, and lists the changes first.',
      'COMMAND-list_sessions': 'Returns pages, each behind the previous one.',
      'COMMAND-rename_session': 'Sets a title; `set_label` names an entry.',
      'COMMAND-close_session': 'Closes an idle session; one at work or with other clients is refused.',
      'COMMAND-delete_session':
        'Removes everything of a session; an idle one is closed first, and its other clients get `session_closed`; one at work is refused.',
      'COMMAND-get_tree': 'Returns the nodes, the title, and the sessions that start there.',
      'COMMAND-get_state': 'Returns the same for an open session and for one that is not open.',
      'COMMAND-get_entries': 'Returns entries page by page, in both directions.',
      'COMMAND-get_stats': 'Returns counts and usage.',
      'COMMAND-get_context': 'Returns the context of a request and its number of tokens.',
      'COMMAND-get_blob': 'Returns content beside the log, in pieces.',
      'COMMAND-get_diff': 'Returns the changes since the session’s runs began.',
      'COMMAND-compact': 'Makes room by a summary, or changes nothing and says why.',
      'COMMAND-context_edit': 'Hides, replaces, restores and pins what the model receives of an entry.',
      'COMMAND-export_session': 'Returns a session as a text or a file.',
      'COMMAND-import_pi':
        'Brings a person’s files of pi over, once; keys and sessions only with consent; lists what it left, and why.',
      'COMMAND-import_session': 'Imports a file of rxpi or pi and lists the changes.',
      'COMMAND-repair_session': 'Writes a clean copy beside the log; `verify_session` names the lines.',
      'COMMAND-replay_session': 'Plays a log as a separate session.',
      'COMMAND-hello': 'Names the client, and whether people can answer there.',
      'COMMAND-attach': 'Joins a session; `detach` leaves it, for this connection only.',
      'COMMAND-ui_response': 'Answers a question, if the answer is valid.',
      'COMMAND-channel_result': 'Answers a call of a client’s tool.',
      'COMMAND-find_files': 'Finds files that are not ignored, ranked.',
      'COMMAND-cancel': 'Ends an open request.',
      'COMMAND-ping': 'Checks the connection; `server_status` describes the server.',
      'COMMAND-shutdown': 'The response comes when every session is closed.',
      'COMMAND-reload': 'Loads the extensions of a session anew, and names those that run.',
      'COMMAND-list_models': 'Lists the known models, offline.',
      'COMMAND-update_models':
        'Fetches newer data of the catalogue: runs no code of the package, and writes it whole or not at all.',
      'COMMAND-list_tools': 'Lists registered tools and marks the active ones.',
      'COMMAND-find_resources':
        'Finds resources of the session’s MCP servers, and values of their templates, for a text that a person types.',
      'COMMAND-list_commands': 'Lists the skills, templates and own commands that a prompt can begin with.',
      'COMMAND-extension_command':
        'A `prompt` that begins with the name of an extension’s command runs it, without a run.',
      'COMMAND-list_jobs': 'Lists the jobs of tools and of the user; `job_output` reads one.',
      'COMMAND-auth': '`auth_set`, `auth_list`, `auth_remove` and `auth_verify` store keys and never return one.',
      'COMMAND-auth_login': '`auth_login` and its commands run a sign-in on the server; no answer contains a token.',
      'COMMAND-config': '`config_list`, `config_get` and `config_set` store the user’s settings, validated.',
      'COMMAND-run_tool': 'Runs one tool and returns its result.',
      'COMMAND-doctor': 'Returns what works on this machine.',
      'COMMAND-trust_folder':
        'Reports the files of a folder that trust gates, and stores a person’s answer to exactly these.',
      'COMMAND-extension_list':
        'Lists extensions with their trust, runs none; `extension_audit` lists decisions and uses.',
      'COMMAND-extension_trust':
        'Stores a decision about the shown content; `extension_kill` ends an extension at once.',
      'COMMAND-package_install':
        'Installs a package and runs no script of it; `package_list`, `package_update`, `package_remove` manage it.',
      'COMMAND-surface_key':
        'Hands a key to a surface; `surface_resize` starts the lines of a client, `surface_close` ends one.',
      'COMMAND-policy_explain':
        'Explains a decision; `policy_import` reads rules of another agent, `policy_audit` lists the decisions of a log.',
    },
  },
]
