// Guesses commands in words of unknown programs (`x rm -rf /`) and options (`--pager='rm -rf /'`).
import { basename } from '../model/path-patterns.ts'
import { quotedWord } from '../model/word-marks.ts'

/** Their arguments are text that they print, search, store or send, or they have a verb of the same name. */
const textual = new Set(
  `echo printf print logger notify-send say man tldr cheat whatis apropos which whereis type command help grep egrep fgrep rg ag ack sed gsed awk
  gawk mawk jq yq cat bat less more head tail ls test [ cowsay figlet wall write mail mailx alias export history diff cmp curl wget http xh tee
  touch mkdir cp mv git hg svn jj gh glab hub tig yadm chezmoi rm dd shred apt apt-get apt-cache brew dnf yum apk pacman pkg tmux osascript
  complete compgen bind read mapfile set shopt : true false exit return cd pushd`.split(/\s+/),
)
/** Programs that show what a suffix of the words is: a command. */
const dangerous = /^(?:rm|dd|shred|wipefs|blkdiscard|mkfs(?:\.\w+)?)$/
const shell = /^(?:ba|z|da|k)?sh$/
/** Options whose value runs. */
const running =
  /^--?[\w-]*(?:exec|command|cmd|filter|pager|shell|rsh|hook|editor|preprocess|wrapper|tool|program)[\w-]*$/i

/** Texts that the program may run. They count only if they show a danger. `wraps`: its command is read elsewhere. */
export function guessedTexts(program: string, args: readonly string[], wraps: boolean): readonly string[] {
  if (textual.has(program)) return []
  const at = wraps ? -1 : args.findIndex((word, index) => startsCommand(basename(word), args[index + 1]))
  const values = args.flatMap((word, index) => optionText(word, args[index + 1]))
  return [...(at < 0 ? [] : [args.slice(at).map(quotedWord).join(' ')]), ...values]
}

function startsCommand(name: string, next: string | undefined): boolean {
  if (next === undefined) return false
  return dangerous.test(name) || (shell.test(name) && /^-\w*c$/.test(next))
}

function optionText(word: string, next: string | undefined): readonly string[] {
  if (!word.startsWith('-')) return []
  const equals = word.indexOf('=')
  const value = equals > 0 ? word.slice(equals + 1) : next
  return value !== undefined && /\S\s+\S/.test(value) && running.test(equals > 0 ? word.slice(0, equals) : word)
    ? [value]
    : []
}
