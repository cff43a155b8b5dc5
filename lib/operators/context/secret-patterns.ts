// Credentials are known by the forms that their issuers publish, or by the place where they stand; a guess by entropy would hit code.

export interface SecretPattern {
  /** What stands in the placeholder. */
  readonly name: string
  /** Global; matches the secret alone. Every repetition is bounded, so that no text takes more than linear time. */
  readonly pattern: RegExp
}

/** At a word's beginning: not within a longer word or path. */
function token(form: string): RegExp {
  return new RegExp(`(?<![\\w-])(?:${form})(?![\\w-])`, 'g')
}

/** What `redactSecrets` looks for where nothing else is said. */
export const secretPatterns: readonly SecretPattern[] = [
  {
    name: 'private key',
    // up to its end, but never over another beginning; else, where it was cut off, its fields and its body
    pattern:
      /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:(?:(?!-----BEGIN )[\s\S]){0,16000}?-----END [A-Z ]{0,40}PRIVATE KEY-----|(?:\s{1,4}[A-Z][A-Za-z-]{2,30}: [^\n]{0,200}){0,4}[\w+/=\s\\]{0,16000})/g,
  },
  { name: 'OpenAI or Anthropic key', pattern: token('sk-[\\w-]{20,300}') },
  { name: 'GitHub token', pattern: token('gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_\\w{22,255}') },
  { name: 'GitLab token', pattern: token('glpat-[\\w-]{20,100}') },
  { name: 'AWS key id', pattern: token('(?:AKIA|ASIA)[A-Z0-9]{16}') },
  { name: 'Google key', pattern: token('AIza[\\w-]{35}|ya29\\.[\\w-]{20,300}') },
  { name: 'Slack token', pattern: token('xox[abeoprs]-[A-Za-z0-9-]{10,250}') },
  { name: 'Stripe key', pattern: token('[rs]k_(?:live|test)_[A-Za-z0-9]{20,250}') },
  { name: 'npm token', pattern: token('npm_[A-Za-z0-9]{36}') },
  { name: 'Hugging Face token', pattern: token('hf_[A-Za-z0-9]{30,60}') },
  { name: 'JSON web token', pattern: token('eyJ[\\w-]{10,4000}\\.eyJ[\\w-]{10,8000}\\.[\\w-]{10,2000}') },
  {
    name: 'authorization',
    pattern: /(?<=\bauthorization["']?\s{0,5}[:=]\s{0,5}["']?(?:bearer|basic|token) {1,5})[\w.~+/=-]{8,4000}/gi,
  },
  {
    name: 'password in a URL',
    pattern: /(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'`]{0,100}:)[^\s/:@"'`${}<>]{3,200}(?=@)/gi,
  },
  {
    name: 'value of a secret variable',
    pattern:
      /(?<=\b[A-Z][A-Z0-9_]{0,60}(?:_KEY|TOKEN|SECRET|PASSWORD|PASSWD)=["']?)(?=[^\s"']{0,200}\d)[^\s"'`$(){}<>]{12,400}/g,
  },
]
