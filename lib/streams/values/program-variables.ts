// Names the variables that decide which programs a command runs.

/** True for `PATH`, `LD_*`, `GIT_*`, `NODE_OPTIONS` and the like (docs/design/security.md#S16). */
export function choosesPrograms(name: string): boolean {
  return pattern.test(name)
}

const pattern =
  /^(?:PATH|LD_.*|DYLD_.*|GIT_.*|BASH_ENV|ENV|NODE_OPTIONS|IFS|PYTHONPATH|PYTHONSTARTUP|PERL5LIB|PERL5OPT|RUBYOPT|SHELLOPTS|PROMPT_COMMAND)$/
