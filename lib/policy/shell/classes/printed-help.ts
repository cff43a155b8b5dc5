// Recognises calls that only print: `git rebase --help`, `sudo -l`, `npm publish -h`.

/** Programs whose words in front of `--help` are verbs, so that nothing but the help runs. */
const verbPrograms = new Set(
  `git npm pnpm yarn bun deno cargo rustup go docker podman nerdctl kubectl oc helm terraform tofu pulumi terragrunt aws gcloud az gh glab
  apt apt-get brew dnf yum zypper snap flatpak pip pip3 pipx poetry uv pdm conda mamba gem bundle composer dotnet nix mix systemctl
  loginctl launchctl heroku fly flyctl vercel netlify wrangler firebase serverless cdk sam twine lerna changeset nx rush goreleaser
  zfs zpool btrfs cryptsetup nvme diskutil mise asdf corepack hg jj svn restic borg rclone supabase railway doctl`.split(
    /\s+/,
  ),
)
/** Verbs that a foreign program can follow: the option may belong to that program. */
const runners = /^(?:run|exec|x|dlx|create|init|tool|compose|foreach|bisect|start|shell|develop|debug|ssh|rsh)$/

/** True if the call prints its help, its version or a list, and does nothing else. */
export function onlyPrints(program: string, args: readonly string[]): boolean {
  if (args[0] === '--help' || (args.length === 1 && /^(?:--version|-V)$/.test(args[0] ?? ''))) return true
  if (program === 'sudo') return printsForSudo(args)
  if (!verbPrograms.has(program)) return false
  const at = args.findIndex((word) => word === '--help' || word === '--')
  const end = args[at] === '--help' ? at : args.at(-1) === '-h' ? args.length - 1 : -1
  const verbs = args.slice(0, end)
  if (end < 1 || end > 3 || !verbs.every((word) => /^[a-z][a-z0-9-]*$/.test(word))) return false
  return verbs.length === 1 || !verbs.some((word) => runners.test(word))
}

/** `sudo -l`, `-v` and `-k` without a command list rights, or start and end the time of a password. */
function printsForSudo(args: readonly string[]): boolean {
  const first = args.findIndex((word) => !word.startsWith('-') || word === '--')
  const options = first < 0 ? args : args.slice(0, first)
  if (options.some((word) => /^-[nkS]*[lv]/.test(word) || word === '--list' || word === '--validate')) return true
  return (
    first < 0 && options.some((word) => /^(?:-[nS]*[kKhV]|--(?:reset|remove)-timestamp|--help|--version)$/.test(word))
  )
}
