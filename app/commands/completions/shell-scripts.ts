// Holds the scripts that make a shell ask rxpi for candidates; none evaluates what is typed.
import type { Shell } from '../../cli/invocation.ts'

/*
 * The first line of `rxpi completions candidates` is the kind: `files` or `folders`, which the shell lists itself,
 * `open` if a candidate goes on after what is inserted, or `closed`. Then comes a candidate a line, a tab, its text.
 */
export const shellScripts: Readonly<Record<Shell, string>> = {
  bash: `# Completion of rxpi in bash. In ~/.bashrc: source <(rxpi completions bash)
_rxpi() {
  local kind value
  COMPREPLY=()
  {
    IFS= read -r kind
    while IFS=$'\\t' read -r value _; do COMPREPLY+=("$value"); done
  } < <(rxpi completions candidates bash -- "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
  type compopt >/dev/null 2>&1 || return 0 # bash 3.2 of macOS: names of files stand in for no candidates
  case $kind in
    files) compopt -o default -o filenames ;;
    folders) compopt +o default -o dirnames -o filenames ;;
    open) compopt +o default -o nospace ;;
    *) compopt +o default ;;
  esac
}
complete -o default -F _rxpi rxpi
`,
  zsh: `#compdef rxpi
# Completion of rxpi in zsh. In ~/.zshrc, after compinit: source <(rxpi completions zsh)
_rxpi() {
  local kind line
  local -a values options
  {
    IFS= read -r kind
    while IFS= read -r line; do values+=("$line"); done
  } < <(rxpi completions candidates zsh -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  [[ $kind == open ]] && options=(-S '')
  (( \${#values} )) && _describe -V rxpi values "\${options[@]}"
  case $kind in
    files) _files ;;
    folders) _files -/ ;;
  esac
}
compdef _rxpi rxpi
`,
  fish: `# Completion of rxpi in fish. In ~/.config/fish/config.fish: rxpi completions fish | source
function __rxpi_candidates
  set -l words (commandline -opc) (commandline -ct)
  set -l lines (rxpi completions candidates fish -- $words[2..-1] 2>/dev/null)
  switch "$lines[1]"
    case files
      __fish_complete_path (commandline -ct)
    case folders
      __fish_complete_directories (commandline -ct)
  end
  string join \\n -- $lines[2..-1]
end
complete -c rxpi -f -a '(__rxpi_candidates)'
`,
}
