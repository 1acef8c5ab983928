import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { source } from '../../image/places.ts'

/** A version that starts and does not work. */
interface Broken {
  version: string
  /** Breaks it in the configuration of its image. */
  spoil(configuration: string): void
  /** What the box says afterwards. */
  reason: RegExp
  /** The daemon runs, and says what is wrong. */
  isJudgedByDaemon?: boolean
}

const notStarted = /did not start|lost power/i
const notConfirmed = /not confirmed within/

/** All kinds of versions that are installed and do not work. */
export const brokenKinds: Record<string, Broken> = {
  'ends at once': {
    version: '0.7.1',
    spoil: (configuration) => beforeProgram(configuration, 'process.exit(1)'),
    reason: notConfirmed,
  },
  'is never ready': {
    version: '0.7.2',
    spoil: (configuration) =>
      beforeProgram(configuration, 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'),
    reason: notConfirmed,
  },
  'has a kernel that panics': {
    version: '0.7.3',
    spoil: (configuration) => atStart(configuration, 'sysinit', 'echo c >/proc/sysrq-trigger'),
    reason: notStarted,
  },
  'has an initrd that finds no root': {
    version: '0.7.4',
    spoil: (configuration) =>
      writeFileSync(
        join(configuration, 'mkosi.conf.d/spoiled.conf'),
        '[Content]\nKernelCommandLine=systemd.verity=no\n',
      ),
    reason: notStarted,
  },
  // The first process no longer feeds the watchdog.
  hangs: {
    version: '0.7.5',
    spoil: (configuration) =>
      atStart(configuration, 'sysinit', 'echo 1 >/sys/fs/cgroup/init.scope/cgroup.freeze'),
    reason: notStarted,
  },
  'has a wrong clock': {
    version: '0.7.6',
    spoil: (configuration) => atStart(configuration, 'multi-user', 'date -s 1990-01-01'),
    reason: /date and time/,
    isJudgedByDaemon: true,
  },
  'has a first process that crashes': {
    version: '0.7.7',
    spoil: (configuration) => atStart(configuration, 'sysinit', 'kill -SEGV 1'),
    reason: notStarted,
  },
}

/** The kind that is the turn of the present commit: each commit tries the next one. */
export function kindOfCommit(): string {
  const count = execFileSync('git', ['rev-list', '--count', 'HEAD'], { cwd: source, encoding: 'utf8' })
  const names = Object.keys(brokenKinds)
  return names[Number(count) % names.length]!
}

/** Adds migrations to the program of an image, which older versions of it do not know. */
export function migrate(configuration: string, count: number): void {
  for (let number = 1; number <= count; number++)
    writeFileSync(
      join(
        configuration,
        `tree/opt/nightporter/migrations/${nextMigration(configuration)}-test-${number}.sql`,
      ),
      `CREATE TABLE test_${number} (rid INTEGER PRIMARY KEY) STRICT;\nINSERT INTO test_${number} VALUES (1);\n`,
    )
}

function nextMigration(configuration: string): string {
  const folder = join(configuration, 'tree/opt/nightporter/migrations')
  const present = readdirSync(folder).filter((name) => name.endsWith('.sql')).length
  return String(present + 1).padStart(4, '0')
}

/** Executes a statement before the service does anything. Other commands of the program work. */
function beforeProgram(configuration: string, statement: string): void {
  const file = join(configuration, 'tree/opt/nightporter/nightporter.js')
  const [interpreter, ...program] = readFileSync(file, 'utf8').split('\n')
  const spoiled = [interpreter, `if (process.argv.includes('serve')) ${statement}`, ...program]
  writeFileSync(file, spoiled.join('\n'))
}

/** Runs a command at each start of the machine, before the service. */
function atStart(configuration: string, target: 'sysinit' | 'multi-user', command: string): void {
  const units = join(configuration, 'tree/usr/lib/systemd/system')
  const wanted = join(units, `${target}.target.wants`)
  mkdirSync(wanted, { recursive: true })
  writeFileSync(
    join(units, 'spoiled.service'),
    `[Unit]
DefaultDependencies=no
After=systemd-remount-fs.service systemd-timesyncd.service
Before=nightporter.service
[Service]
Type=oneshot
ExecStart=/bin/sh -c '${command}'
`,
  )
  symlinkSync('../spoiled.service', join(wanted, 'spoiled.service'))
}
