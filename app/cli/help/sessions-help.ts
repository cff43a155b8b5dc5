// The text of `rxpi sessions --help`.

export const sessionsHelp = `Usage: rxpi sessions <action> … [--json]

list [--all] [--cwd DIR]
        lists the sessions of this folder or of all, latest first, with age, length and title. The arrow marks the session
        that rxpi -c continues.
search <text> [--all] [--cwd DIR]
        lists the sessions of this folder or of all that have the text in their title or in a message of you or the model,
        with the words around it. Capital and small letters are the same.
tree [id or file]
        prints all entries of a session with their ids: the path to the head in one column, other branches beside it.
show [id or file] [--entry E]
        prints the conversation up to the head, or up to an entry.
branch <id> <entry> [--new-file | --summarise | --restore-files]
        continues from an entry. --new-file copies the entries up to there into a new session. --summarise summarises the
        branch that is left; the new branch begins with the summary. --restore-files restores the files of that entry, like
        undo.
undo [id] [--dry-run] [--force]
        resets conversation and files to before the last run; a second undo goes one run further back. Prints what it changed
        and how to get back (--dry-run: what it would change). Changes nothing if you edited one of the files since, unless
        with --force.
compact [id] [focus]
        summarises earlier messages: the model receives the summary and the recent messages, the log keeps all. The focus names
        what the summary must cover above all. rxpi compact is the same.
pin <id> <entry>, unpin <id> <entry>
        keeps a message of yours or an answer when the conversation is summarised; unpin no longer keeps it.
hide <id> <entry>, replace <id> <entry> <text>, unhide <id> <entry>
        changes what the model receives of an entry: nothing, your text, or the entry itself again.
rename <id> <title>, label <id> <entry> [text]
        names a session or an entry; without a text it removes the label.
switch <id>
        makes it the session that rxpi -c continues in its folder.
rm <id>
        removes a session and all files that belong to it only, and prints them; not while it is open.
export <id or file> [--format html|md|pi] [-o FILE] [--force]
        writes an HTML page that works offline, Markdown, or a file that pi opens, to standard output, to a new file that only
        you can read, to a device or to a pipe. --force replaces a file. Also exports a session file of pi.
import <file> [--cwd DIR]
        imports a session file of pi or rxpi as a session of this folder. It grants no trust. Prints each change of content.
replay <id or file> [--speed N|max] [--max-pause S]
        plays a recorded session: prompts and answers on standard output, tools on standard error. --speed 2 is twice as
        fast, max does not wait; a pause has at most 5 seconds, or S. Ctrl-C ends it (exit code 130). Also plays a file of pi.
        With --json it prints the log's lines in time.
verify <id or file>
        checks every line of a session's log and names damaged ones. Exit code 0 if the log is whole, 1 if a line is damaged or
        the last one is torn.
repair <id or file>
        writes a repaired copy beside a damaged log and prints what is lost. The log itself does not change.

  Without an id, tree, show, undo and compact use the session that rxpi -c continues in this folder.

  --json  one JSON document instead of text

Examples
  rxpi sessions list --all
  rxpi sessions undo --dry-run
  rxpi sessions compact abcdefghij23 the failing tests
  rxpi sessions export abcdefghij23 -o talk.html
  rxpi sessions import ~/Downloads/pi-session.jsonl
  rxpi sessions replay abcdefghij23 --speed 10
  rxpi sessions verify abcdefghij23
  rxpi sessions repair ./1700000000000_abcdefghij23.jsonl --json
`
