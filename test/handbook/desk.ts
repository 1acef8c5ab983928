import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ownPort } from '../own-port.ts'
import { program } from '../program.ts'

const root = join(import.meta.dirname, '../..')

/**
 * Where the reader of a page sits: an empty folder, in which `npm`, `npx` and `nightporter` are the program under test. The
 * ports of the page become free ones of this machine, and its folders of the system become folders of his own.
 */
export interface Desk {
  folder: string
  environment: NodeJS.ProcessEnv
  /** A text of the page as it is typed here. */
  typed(text: string): string
  /** What was printed here as the page would show it. */
  asShown(text: string): string
  clear(): void
}

const notCopied = ['node_modules', '.git', 'data', 'dist']

/** The port of the appliance in all pages. */
const appliancePort = '8080'
const ports =
  /(?:127\.0\.0\.1|localhost|0\.0\.0\.0|\[::1\]|http|https|tcp|mqtt|mqtts|--listen \S+):(\d{4,5})\b/g
const systemFolders = /(?<![\w.}/-])\/(?=(?:var\/lib|opt|etc|media|mnt|srv|usr\/local)\/\w)/g

/** Lays out the desk for a page. What a page builds on in the repository, such as `drivers/`, is copied into the folder. */
export async function deskFor(markdown: string): Promise<Desk> {
  const top = mkdtempSync(join(tmpdir(), 'nightporter-reader-'))
  const folder = join(top, 'nightporter')
  const commands = join(top, 'bin')
  for (const each of [folder, commands]) mkdirSync(each)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  const isInRepository = /^(?:<change>|npm (?:run|test)\b|.*\b(?:drivers|src|test)\/)/m.test(
    commandsIn(markdown),
  )
  if (isInRepository)
    for (const each of readdirSync(root).filter((name) => !notCopied.includes(name)))
      cpSync(join(root, each), join(folder, each), { recursive: true })

  const named = new Set([appliancePort, ...[...markdown.matchAll(ports)].map(([, port]) => port!)])
  const taken = new Map<string, string>()
  for (const port of named) taken.set(port, String(await ownPort()))
  const given = new Map([...taken].map(([port, other]) => [other, port]))
  const replaced = (text: string, by: Map<string, string>) =>
    text.replaceAll(/(?<![\w.-])\d{4,5}(?![\w-])/g, (number) => by.get(number) ?? number)
  const entry = isInRepository ? join(folder, 'src/nightporter.js') : fileURLToPath(program)
  writeCommands(commands, { entry, port: taken.get(appliancePort)! })
  const { TEST_PROGRAM: _, NODE_TEST_CONTEXT: __, NIGHTPORTER_TOKEN: ___, ...environment } = process.env
  return {
    folder,
    environment: {
      ...environment,
      PATH: `${commands}:${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
      NIGHTPORTER_URL: `http://127.0.0.1:${taken.get(appliancePort)}`,
      // Today is the day of the sample hotel.
      TZ: 'Europe/Lisbon',
      NO_COLOR: '1',
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONUNBUFFERED: '1',
    },
    typed: (text) => replaced(text, taken).replaceAll(systemFolders, `${top}/`),
    asShown: (text) =>
      replaced(text, given)
        .replaceAll(` --url http://127.0.0.1:${appliancePort}`, '')
        .replaceAll(`${top}/nightporter`, '.')
        .replaceAll(`${top}/`, '/'),
    clear: () => rmSync(top, { recursive: true, force: true, maxRetries: 5 }),
  }
}

function commandsIn(markdown: string): string {
  const commands = [...markdown.matchAll(/^```(?:sh|bash)\n([\s\S]*?)^```/gm)].map(([, text]) => text)
  return [...commands, /^```diff$/m.test(markdown) ? '<change>' : ''].join('\n')
}

/** What the reader types that is not of this machine. His packages are those with which the tests run. */
function writeCommands(folder: string, { entry, port }: { entry: string; port: string }): void {
  const node = `exec "${process.execPath}" "${entry}"`
  const curl = spawnSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).stdout.trim()
  const commands = {
    nightporter: [
      'case "$1 $*" in',
      `serve*--listen*) ${node} "$@" ;;`,
      `serve*) ${node} "$@" --listen 127.0.0.1:${port} ;;`,
      `*) ${node} "$@" ;;`,
      'esac',
    ],
    npm: [
      'case "$1" in',
      'ci) exit 0 ;;',
      'start) shift; [ "$1" = -- ] && shift; exec nightporter serve "$@" ;;',
      'test) shift; [ "$1" = -- ] && shift; exec node test/run.ts "$@" ;;',
      'run) shift; [ "$1" = --silent ] && shift; script=$1; shift; [ "$1" = -- ] && shift; exec node --run "$script" -- "$@" ;;',
      'esac',
      'echo "npm $1 is nothing that the tests of the handbook know." >&2; exit 1',
    ],
    npx: ['[ "$1" = -s ] && shift', 'name=$1; shift; exec "$name" "$@"'],
    sudo: ['[ "$1" = -u ] && shift 2', 'exec "$@"'],
    // A refusal that the page does not show is a failure.
    curl: [
      'case " $* " in',
      `*" -f"*|*" --fail"*) exec "${curl}" "$@" ;;`,
      `*) exec "${curl}" --fail-with-body "$@" ;;`,
      'esac',
    ],
  }
  for (const [name, lines] of Object.entries(commands)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${lines.join('\n')}\n`)
    chmodSync(join(folder, name), 0o755)
  }
}
