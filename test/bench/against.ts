import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { noLimits } from '../no-limits.ts'
import { createsIn } from './create.ts'
import { dayOf, type Facts } from './filled-house.ts'
import { askOnce, drive, requestText } from './load.ts'
import { alternate, windowOn } from './rounds.ts'
import { type ServerProcess, serverProcess } from './server-process.ts'
import { median, short, spread } from './statistics.ts'

/** How far `--against` goes. */
export interface Against {
  rounds: number
  /** Of one window of one server. */
  seconds: number
  /** Reservations in each property. */
  size: number
}

/** What one commit did in one round: smaller is better in every figure. */
type Figures = Record<string, number>

const root = join(import.meta.dirname, '../..')
const token = 'demo'
const cardsEach = 5
/** How long a simulated guest takes, and a little more. */
const untilTakenMs = 2_500

/**
 * Measures the working tree beside another commit: both programs from source, each on a property of its own that was filled over
 * its own interface, in rounds that alternate. Gives a table with the ratio of the medians, working tree to commit.
 */
export async function against(ref: string, how: Against): Promise<string> {
  const commit = git('rev-parse', '--short', `${ref}^{commit}`)
  const checkout = mkdtempSync(join(tmpdir(), 'nightporter-against-'))
  git('worktree', 'add', '--detach', '--force', checkout, commit)
  const servers: Running[] = []
  try {
    installIn(checkout)
    const here = await opened(root, how.size, servers)
    const there = await opened(checkout, how.size, servers)
    const results = await alternate(how.rounds, {
      here: () => measured(here, how),
      there: () => measured(there, how),
    })
    return tableOf(commit, results.here, results.there)
  } finally {
    for (const { server, data } of servers) {
      await server.stop()
      rmSync(data, { recursive: true, force: true })
    }
    git('worktree', 'remove', '--force', checkout)
    rmSync(checkout, { recursive: true, force: true })
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
}

/** The packages of this checkout where they are the same; otherwise those that the commit asks for. */
function installIn(checkout: string): void {
  const lockOf = (folder: string) => readFileSync(join(folder, 'package-lock.json'), 'utf8')
  const packagesOf = (folder: string) =>
    JSON.stringify({ ...JSON.parse(lockOf(folder)).packages, '': undefined })
  if (packagesOf(checkout) === packagesOf(root))
    symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'))
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: checkout, stdio: 'ignore' })
}

/** A program under measurement. */
interface Opened {
  server: ServerProcess
  /** Starts it once more on a copy of its data, and gives the milliseconds to its first answer. */
  startMs(): Promise<number>
  ids: string[]
  /** The next request that creates a reservation. */
  create(): string
  /** The request for a card to the unit that has its turn. */
  card(): string
}

/** A server on a data folder of its own. Both are gone in the end, also where measuring fails. */
interface Running {
  server: ServerProcess
  data: string
}

async function opened(folder: string, size: number, servers: Running[]): Promise<Opened> {
  // Until 0.6.0 the program was nightporter.ts.
  const found = ['src/nightporter.js', 'src/nightporter.ts']
    .map((name) => join(folder, name))
    .find(existsSync)
  const program = pathToFileURL(found ?? folder)
  const data = mkdtempSync(join(tmpdir(), 'nightporter-against-data-'))
  writeFileSync(join(data, 'nightporter.json'), JSON.stringify({ rateLimits: noLimits }))
  const start = (on: string) =>
    serverProcess(program, ['serve', '--listen', '127.0.0.1:0', '--data', on, '--log-level', 'silent'])
  const server = await start(data)
  servers.push({ server, data })
  const facts = await factsAt(server)
  const next = createsIn({ token, facts })
  // Each connection creates one.
  for (let made = 0; made < size; made += 32)
    await drive({ port: server.port, connections: 32, seconds: 0, next })
  const { data: rows } = await read(server, `/api/v2/reservations?page[size]=100&sort=id`)
  const { data: controllers } = await read(server, '/api/config/v1/access-controllers')
  let unit = 0
  return {
    server,
    create: next,
    ids: rows.map(({ id }) => id),
    card: () => {
      const body = {
        type: 'keyCard',
        unitName: String(101 + (unit++ % 8)),
        original: true,
        startDate: new Date().toISOString().slice(0, 10),
        endDate: new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10),
      }
      return requestText(
        'POST',
        `/api/v2/access/controllers/${controllers[0]!.id}/key`,
        token,
        JSON.stringify(body),
      )
    },
    async startMs() {
      const copy = mkdtempSync(join(tmpdir(), 'nightporter-against-start-'))
      cpSync(data, copy, { recursive: true, filter: (path) => !/\.lock$/.test(path) })
      const began = performance.now()
      const started = await start(copy)
      await askOnce(started.port, requestText('GET', '/api/v2/units?page[size]=1', token))
      const took = performance.now() - began
      await started.stop()
      rmSync(copy, { recursive: true, force: true })
      return took
    },
  }
}

interface Rows {
  data: { id: string; attributes: Record<string, unknown> }[]
}

async function read({ port }: ServerProcess, path: string): Promise<Rows> {
  return JSON.parse(await askOnce(port, requestText('GET', path, token))) as Rows
}

async function factsAt(server: ServerProcess): Promise<Facts> {
  const told = JSON.stringify([{ startDate: dayOf(0), endDate: dayOf(1_999), quantity: 1_000_000 }])
  await askOnce(server.port, requestText('PATCH', '/api/v2/availability/unit-types/FAM', token, told))
  const types = await read(server, '/api/v2/unit-types?filter[code]=FAM')
  const profiles = await read(server, '/api/v2/profiles?page[size]=50')
  return { unitTypeId: types.data[0]!.id, profileIds: profiles.data.map(({ id }) => id) }
}

async function measured(subject: Opened, { seconds }: Against): Promise<Figures> {
  const { server, ids, create } = subject
  const figures: Figures = {}
  let turn = 0
  const one = () => requestText('GET', `/api/v2/reservations/${ids[turn++ % ids.length]}`, token)
  const list = () => {
    const day = dayOf(1_000 + (turn++ % 365))
    return requestText('GET', `/api/v2/reservations?filter[arrival]=${day}&page[size]=10`, token)
  }
  const windows: [name: string, connections: number, next: () => string][] = [
    ['GET one', 16, one],
    ['list page of 10', 16, list],
    ['create, 1 connection', 1, create],
    ['create, 64 connections', 64, create],
  ]
  for (const [name, connections, next] of windows) {
    const window = await windowOn(server, { connections, seconds, next })
    figures[`${name}: CPU each, us`] = window.cpu
    figures[`${name}: time each, us`] = 1e6 / window.perSecond
  }
  Object.assign(figures, await cards(subject))
  figures['resident memory, MB'] = server.residentMb()
  figures['start to first answer, ms'] = await subject.startMs()
  return figures
}

/** With the simulated devices of `npm start`, whose motions take most of the time. */
async function cards({ server, card }: Opened): Promise<Figures> {
  const took: number[] = []
  let cpu = 0
  for (let made = 0; made < cardsEach; made++) {
    const [began, used] = [performance.now(), server.cpuMs()]
    await askOnce(server.port, card())
    took.push(performance.now() - began)
    cpu += server.cpuMs() - used
    await pause(untilTakenMs)
  }
  return { 'issue a card: time each, ms': median(took), 'issue a card: CPU each, ms': cpu / cardsEach }
}

function tableOf(commit: string, here: Figures[], there: Figures[]): string {
  const names = Object.keys(here[0] ?? {})
  const rows = names.map((name) => {
    const [ours, theirs] = [here, there].map((rounds) => rounds.map((each) => each[name]!))
    const ratio = median(ours!) / median(theirs!)
    return `| ${name} | ${spread(ours!, '')} | ${spread(theirs!, '')} | ${short(ratio)} |`
  })
  return [`| measure | working tree | ${commit} | ratio |`, '|---|---|---|---|', ...rows].join('\n')
}
