// Finds commands that publish packages, images or releases.
import { hasFlag, operandsOf } from './call.ts'
import type { Call } from './call.ts'
import { commandWords } from './command-verbs.ts'
import { pushReason, subcommand } from './git-history.ts'

/** By program: the operands in front that publish, joined by blanks. */
const verbs: Readonly<Record<string, readonly string[]>> = {
  npm: ['publish', 'pub', 'publ', 'unpublish', 'deprecate', 'dist-tag add', 'dist-tag rm', 'access', 'owner add'],
  pnpm: ['publish', 'recursive publish'],
  yarn: ['publish', 'npm publish', 'npm tag add'],
  bun: ['publish'],
  cargo: ['publish', 'yank', 'owner'],
  twine: ['upload'],
  poetry: ['publish'],
  uv: ['publish'],
  flit: ['publish'],
  hatch: ['publish'],
  pdm: ['publish'],
  gem: ['push', 'yank'],
  docker: ['push', 'image push', 'compose push', 'manifest push'],
  podman: ['push', 'image push'],
  buildah: ['push'],
  skopeo: ['copy'],
  helm: ['push'],
  gh: ['release create', 'release upload', 'release edit', 'release delete', 'repo create', 'gist create', 'pr merge'],
  glab: ['release create', 'mr merge'],
  dotnet: ['nuget push'],
  nuget: ['push'],
  goreleaser: ['release'],
  'semantic-release': [''],
  lerna: ['publish'],
  changeset: ['publish'],
  'release-it': [''],
  np: [''],
  maturin: ['publish', 'upload'],
  sbt: ['publish', '+publish', 'publishSigned', 'release'],
  lein: ['deploy'],
  vsce: ['publish'],
  ovsx: ['publish'],
  jsr: ['publish'],
  deno: ['publish', 'deploy'],
  pod: ['trunk push'],
  'ansible-galaxy': ['collection publish', 'role import'],
  mix: ['hex.publish'],
  conda: ['upload'],
  anaconda: ['upload'],
  snapcraft: ['upload', 'push'],
  wrangler: ['deploy', 'publish', 'pages deploy'],
  vercel: ['deploy', '--prod'],
  netlify: ['deploy'],
  firebase: ['deploy'],
  fly: ['deploy'],
  flyctl: ['deploy'],
  serverless: ['deploy'],
  gcloud: ['app deploy', 'run deploy', 'functions deploy'],
  surge: [''],
  nx: ['release publish'],
  rush: ['publish'],
  melos: ['publish'],
  dart: ['pub publish'],
  flutter: ['pub publish'],
  cabal: ['upload'],
  stack: ['upload'],
  luarocks: ['upload'],
  opam: ['publish'],
  oras: ['push'],
  crane: ['push', 'copy', 'cp'],
  nerdctl: ['push'],
  cosign: ['sign'],
  cdk: ['deploy'],
  sam: ['deploy'],
  sst: ['deploy'],
  amplify: ['publish', 'push'],
  eb: ['deploy'],
  kamal: ['deploy', 'setup', 'redeploy', 'rollback'],
  shipit: ['deploy'],
  dokku: ['deploy', 'git:sync', 'ps:rebuild'],
  scalingo: ['deploy'],
  clever: ['deploy'],
  ntl: ['deploy'],
  railway: ['up', 'deploy'],
  heroku: ['container:push', 'container:release', 'deploy'],
  modal: ['deploy'],
  'gh-pages': [''],
  hub: ['release create'],
  conan: ['upload'],
  'web-ext': ['sign'],
  supabase: ['functions deploy', 'db push'],
  convex: ['deploy'],
  'electron-forge': ['publish'],
  eas: ['submit', 'update'],
  expo: ['publish'],
  fastlane: ['release', 'deliver', 'pilot'],
}

/** Goals of build tools: each operand counts. */
const goals = /^(?::?[\w-]+:)*(?:deploy|uploadArchives|publish(?!ToMavenLocal)\w*|release:perform|deploy:deploy-file)$/

/** Branches that others take their work from, and tags: a push to them is out at once. */
const sharedRef =
  /^(?:refs\/heads\/)?(?:main|master|trunk|production|prod|stable|gh-pages|release(?:[/-].*)?)$|^refs\/tags\/|^v?\d+\.\d+[\w.-]*$/
/** Remotes whose service deploys what it gets. */
const deploying = /^(?:heroku|dokku|production|prod|staging|deploy|live|piku|scalingo|clever)$/

/** Most calls are of another program, and end here. */
const publishers = new Set([...Object.keys(verbs), ...'git mvn mvnw gradle gradlew aws cap mina'.split(' ')])

export function publishFindings({ program, args, run, invocation }: Call): void {
  if (!publishers.has(program) && !program.startsWith('python')) return
  if (
    args.some((word) =>
      /^(?:--dry-run|--dry|-n|--help|-h|--version|--snapshot)(?:=(?:true|client|server))?$/.test(word),
    )
  )
    return
  if (publishes(program, args)) run.find('publishing', invocation, 'publishes to other people')
}

/** A push to one's own branch is a proposal; one without names goes to the remote of the branch. */
function pushesToOthers(args: readonly string[]): boolean {
  const [verb, ...rest] = subcommand(args)
  if (verb !== 'push') return false
  const operands = operandsOf(rest)
  if (pushReason(rest, operands) !== undefined) return false
  const [remote = '', ...refs] = operands
  const targets = refs.map((ref) => ref.slice(ref.lastIndexOf(':') + 1).replace(/^\+/, ''))
  return (
    deploying.test(remote) ||
    refs[0] === 'tag' ||
    targets.some((ref) => sharedRef.test(ref)) ||
    hasFlag(rest, '', '--tags', '--follow-tags', '--all', '--branches')
  )
}

function publishes(program: string, args: readonly string[]): boolean {
  if (program === 'git') return pushesToOthers(args)
  const words = commandWords(program, args)
  const text = words.join(' ')
  if (/^(?:mvnw?|gradlew?)$/.test(program)) return words.some((word) => goals.test(word))
  if (program === 'cap' || program === 'mina') return words.some((word) => /^(?:deploy|rollback)(?::|$)/.test(word))
  const known = Object.hasOwn(verbs, program) ? (verbs[program] ?? []) : []
  const hasVerb = known.some(
    (verb) =>
      verb === '' || text === verb || text.startsWith(`${verb} `) || (verb.startsWith('--') && args.includes(verb)),
  )
  if (hasVerb) return true
  if (/^(?:docker|podman)$/.test(program))
    return args.includes('--push') || /type=registry|,push=true/.test(args.join(' '))
  if (/^python[\d.]*$/.test(program))
    return /^(?:setup\.py|-m twine)\b/.test(args.join(' ')) && args.some((word) => /^(?:upload|register)$/.test(word))
  if (program === 'aws')
    return /^s3 (?:sync|cp|mv)\b/.test(text) && args.some((word) => /^--acl(?:=public.*)?$/.test(word))
  return program === 'gh' && text.startsWith('repo edit') && args.some((word) => word.startsWith('--visibility'))
}
