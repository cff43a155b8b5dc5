// Finds deletions of whole trees outside the file system: buckets, clusters, volumes, databases …
import { hasFlag } from './call.ts'
import type { Call } from './call.ts'
import { commandWords } from './command-verbs.ts'

interface Deletion {
  /** The beginning of the operands, joined by blanks. */
  readonly words: RegExp
  /** One of these options is needed: letters of short flags, and long ones. */
  readonly flags?: readonly [letters: string, ...long: string[]]
  readonly why: string
}

const stack = 'destroys everything that the configuration manages'
const bucket = 'deletes a bucket or a tree in it'
const resource = 'deletes a whole resource of the cloud'
const volumes = 'deletes volumes with their data'
const backups = 'deletes backups'

const destroyed: readonly Deletion[] = [
  { words: /^(?:run-all )?destroy\b/, why: stack },
  { words: /^apply\b/, flags: ['', '-destroy', '--destroy'], why: stack },
]
const removedStack: readonly Deletion[] = [{ words: /^(?:destroy|remove|app delete)\b/, why: stack }]
const cluster: readonly Deletion[] = [
  {
    words:
      /^delete [\w,.]*\b(?:ns|namespaces?|pvc?|persistentvolume\w*|crds?|customresourcedefinitions?|nodes?|clusters?|all|projects?)\b/,
    why: 'deletes all resources of a cluster or a name space',
  },
  {
    words: /^delete\b/,
    flags: ['A', '--all', '--all-namespaces'],
    why: 'deletes all resources of a cluster or a name space',
  },
]
const containers: readonly Deletion[] = [
  { words: /^volume (?:prune|rm|remove)\b/, why: volumes },
  { words: /^system prune\b/, flags: ['', '--volumes'], why: volumes },
  { words: /^system reset\b/, why: volumes },
  { words: /^compose .*\bdown\b/, flags: ['v', '--volumes'], why: volumes },
]
/** Frameworks that empty the database of the configuration. */
const emptied = 'deletes the database of the application'
const migrations: Readonly<Record<string, RegExp>> = {
  rails: /\bdb:(?:drop|reset|purge|migrate:reset)\b/,
  rake: /\bdb:(?:drop|reset|purge|migrate:reset)\b/,
  mix: /^ecto\.(?:drop|reset)\b/,
  prisma: /^migrate reset\b|^db push\b.*--force-reset\b/,
  php: /^artisan (?:migrate:(?:fresh|reset|refresh)|db:wipe)\b/,
  artisan: /^(?:migrate:(?:fresh|reset|refresh)|db:wipe)\b/,
  python: /^\S*manage\.py (?:flush|reset_db|sqlflush)\b/,
  'manage.py': /^(?:flush|reset_db)\b/,
  'django-admin': /^(?:flush|reset_db)\b/,
  supabase: /^db reset\b.*--(?:linked|db-url)\b/,
  sequelize: /^db:drop\b/,
  'sequelize-cli': /^db:drop\b/,
  typeorm: /^schema:drop\b/,
  flyway: /\bclean\b/,
  liquibase: /\bdrop-?all\b/i,
}
const applications: readonly Deletion[] = [
  { words: /^(?:apps:destroy|apps destroy|destroy|pg:reset|volumes destroy)\b/, why: 'destroys an application' },
]

const deletions: Readonly<Record<string, readonly Deletion[]>> = {
  terraform: destroyed,
  tofu: destroyed,
  terragrunt: destroyed,
  pulumi: [{ words: /^(?:destroy|down|stack rm)\b/, why: stack }],
  cdk: removedStack,
  sst: removedStack,
  serverless: removedStack,
  sls: removedStack,
  copilot: removedStack,
  kubectl: cluster,
  oc: cluster,
  helm: [{ words: /^(?:uninstall|delete|un|del)\b/, why: 'removes an application from a cluster' }],
  docker: containers,
  'docker-compose': [{ words: /\bdown\b/, flags: ['v', '--volumes'], why: volumes }],
  podman: containers,
  nerdctl: containers,
  heroku: applications,
  fly: applications,
  flyctl: applications,
  aws: [
    { words: /^s3 rm\b/, flags: ['', '--recursive'], why: bucket },
    { words: /^(?:s3 rb|s3api delete-bucket)\b/, why: bucket },
    {
      words:
        /^(?:cloudformation delete-stack|rds delete-db|dynamodb delete-table|ec2 (?:terminate-instances|delete-(?:volume|snapshot|vpc))|e[ck]s delete-cluster|efs delete-file-system|organizations close-account|kms schedule-key-deletion|route53 delete-hosted-zone|ecr delete-repository)/,
      why: resource,
    },
  ],
  gsutil: [
    { words: /^rb\b/, why: bucket },
    { words: /^rm\b/, flags: ['rRa'], why: bucket },
  ],
  gcloud: [
    {
      words: /^(?:projects|sql instances|container clusters|storage buckets|compute (?:disks|instances)) delete\b/,
      why: resource,
    },
    { words: /^storage rm\b/, flags: ['r', '--recursive'], why: bucket },
  ],
  az: [
    {
      words:
        /^(?:group|storage account|aks|sql server|sql db|vm|keyvault) delete\b|^storage (?:container delete|blob delete-batch)/,
      why: resource,
    },
  ],
  glab: [{ words: /^repo delete\b/, why: 'deletes a repository with its history' }],
  vagrant: [{ words: /^destroy\b/, why: resource }],
  virsh: [{ words: /^undefine\b/, flags: ['', '--remove-all-storage'], why: resource }],
  doctl: [{ words: /\bdelete\b/, why: resource }],
  bq: [{ words: /^rm\b/, flags: ['r', '--recursive'], why: resource }],
  s3cmd: [{ words: /^(?:del|rm|rb)\b/, flags: ['r', '--recursive', '--force'], why: bucket }],
  gh: [{ words: /^repo delete\b/, why: 'deletes a repository with its history' }],
  rclone: [{ words: /^(?:purge|delete)\b/, why: 'deletes a tree of remote files' }],
  mc: [{ words: /^(?:rb|rm)\b/, flags: ['r', '--recursive', '--force'], why: bucket }],
  'redis-cli': [{ words: /\bflush(?:all|db)\b/i, why: 'deletes every key of the database' }],
  mysqladmin: [{ words: /\bdrop\b/, why: 'deletes a database' }],
  dropdb: [{ words: /^(?!\S*test)./, why: 'deletes a database' }],
  borg: [{ words: /^(?:delete|prune)\b/, why: backups }],
  restic: [{ words: /^(?:forget|prune)\b/, why: backups }],
  tmutil: [{ words: /^(?:delete|disable)/, why: backups }],
  vssadmin: [{ words: /^delete\b/, why: backups }],
}

const databases = /^(?:psql|mysql|mariadb|mongosh?|clickhouse-client|sqlcmd|cockroach)$/

export function resourceFindings({ program, args, run, invocation, frame }: Call): void {
  const name = /^python[\d.]*$/.test(program) ? 'python' : program
  const found = Object.hasOwn(deletions, program) ? deletions[program] : undefined
  if (found === undefined && !Object.hasOwn(migrations, name) && !databases.test(program)) return
  if (args.some((word) => /^--(?:dry-?run|help)(?:=(?:client|server|true))?$/.test(word))) return
  const words = found === undefined ? '' : commandWords(program, args).join(' ')
  const reason = found?.find(({ words: verb, flags }) => {
    const [letters = '', ...long] = flags ?? []
    return (
      verb.test(words) &&
      (flags === undefined || hasFlag(args, letters, ...long) || args.some((word) => long.includes(word)))
    )
  })?.why
  if (reason !== undefined) run.find('recursive_delete', invocation, reason)
  const isTest = invocation.assignments.some(({ name: key, value }) => key.endsWith('_ENV') && value === 'test')
  if (!isTest && Object.hasOwn(migrations, name) && migrations[name]?.test(args.join(' ')) === true)
    run.find('recursive_delete', invocation, emptied)
  const dropped = databases.test(program) ? dropReason(`${args.join(' ')}\n${frame.stdin ?? ''}`) : undefined
  if (dropped !== undefined) run.find('recursive_delete', invocation, dropped)
}

/** Why statements delete data for good; one about a name with `test` or `tmp` passes. */
function dropReason(text: string): string | undefined {
  if (/\bdrop\s+(?:database|schema)\b(?!\s+(?:if\s+exists\s+)?\S*test)|dropDatabase\s*\(/i.test(text))
    return 'deletes a database'
  const empties =
    /\btruncate\s+(?:table\s+)?(?!table\b)(?:only\s+)?["'`\w.]+\s*(?:,|;|$|\bcascade\b|\brestart\b)|\bdrop\s+table\s+(?:if\s+exists\s+)?["'`\w.]+|\bdelete\s+from\s+["'`\w.]+\s*(?:;|$)/gim
  const isUsed = (text.match(empties) ?? []).some((statement) => !/test|te?mp/i.test(statement))
  return isUsed ? 'deletes every row of a table' : undefined
}
