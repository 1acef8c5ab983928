import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { resources, shapeOf } from '../../src/composition/api.ts'
import { documentSql } from '../../src/store/rows/document.ts'
import { withHyphens } from '../../src/store/rows/template.ts'
import { toBlob } from '../../src/store/uuid.ts'
import { appliance } from './appliance.ts'
import { filledHouse, type House } from './filled-house.ts'
import { askOnce, requestText } from './load.ts'
import type { Line, Measure } from './measure.ts'
import { alternate, readsOn } from './rounds.ts'
import { processOf, type ServerProcess, serverProcess } from './server-process.ts'
import { median, short, spread } from './statistics.ts'

/** A server of another maker that publishes the rows of an SQLite file, as `peers.json` names it. */
interface Peer {
  name: string
  /** The program and its arguments. `{database}` and `{port}` are replaced. */
  command: string[]
  /** The path of one row of the table `reservation`. `{id}` is replaced. */
  path: string
}

const connections = 16
const some = 20_000
const startsWithinMs = 60_000

/**
 * GET of one reservation beside other makers' servers over SQLite. They are installed in `folder`, outside of this repository, and
 * named in its `peers.json`. Each reads an SQLite file whose table `reservation` has the columns `id` and `document`: the same texts.
 */
export function peersIn(folder: string): Measure {
  const peers = JSON.parse(readFileSync(join(folder, 'peers.json'), 'utf8')) as Peer[]
  return {
    name: 'peers',
    async run({ rounds, seconds, size }) {
      const house = await filledHouse(size)
      const ids = house.ids.slice(0, some)
      const scratch = mkdtempSync(join(tmpdir(), 'nightporter-peers-'))
      const database = join(scratch, 'peers.db')
      writeRows(database, house, ids)
      const servers: [name: string, server: ServerProcess, path: string][] = [
        ['nightporter', await appliance(house.data), '/api/v2/reservations/{id}'],
        [
          'Koa + SQLite',
          await serverProcess(new URL('./koa-sqlite.ts', import.meta.url), [house.data]),
          '/one/{id}',
        ],
      ]
      for (const peer of peers)
        servers.push([peer.name, await started(peer, folder, database, ids[0]!), peer.path])
      let turn = 0
      const contenders = servers.map(([name, server, path]) => {
        const next = () => requestText('GET', path.replace('{id}', ids[turn++ % ids.length]!), house.token)
        return [name, () => readsOn(server, { connections, seconds, next })] as const
      })
      const results = await alternate(rounds, Object.fromEntries(contenders))
      await Promise.all(servers.map(([, server]) => server.stop()))
      house.remove()
      rmSync(scratch, { recursive: true, force: true })
      const cpuOf = (name: string) => results[name]!.map(({ cpu }) => cpu)
      const ours = cpuOf('nightporter')
      return servers.slice(1).map(
        ([name]): Line => ({
          measure: `GET one, any of ${ids.length}, beside ${name}: CPU a request`,
          ours: spread(ours, 'us'),
          constant: spread(cpuOf(name), 'us'),
          ratio: short(median(ours) / median(cpuOf(name))),
        }),
      )
    },
  }
}

function writeRows(database: string, { data }: House, ids: readonly string[]): void {
  const source = new Sqlite(join(data, 'nightporter.db'), { readonly: true })
  const find = source.prepare('SELECT rid FROM reservation WHERE id = ?').pluck()
  const resource = resources.get('reservation')!
  const text = source.prepare(documentSql(resources, resource, shapeOf(resource))).pluck()
  const target = new Sqlite(database)
  target.exec('CREATE TABLE reservation (id TEXT PRIMARY KEY, document TEXT NOT NULL)')
  const add = target.prepare('INSERT INTO reservation VALUES (?, ?)')
  target.transaction(() => {
    for (const id of ids) add.run(id, withHyphens(String(text.get(find.get(toBlob(id))))))
  })()
  target.close()
  source.close()
}

async function started(peer: Peer, folder: string, database: string, id: string): Promise<ServerProcess> {
  const port = await freePort()
  const [program = '', ...args] = peer.command.map((word) =>
    word.replace('{database}', database).replace('{port}', String(port)),
  )
  const env = { ...process.env, PATH: `${join(folder, 'node_modules/.bin')}:${process.env.PATH}` }
  const child = spawn(program, args, { cwd: folder, env, stdio: ['pipe', 'ignore', 'inherit'] })
  const server = processOf(child, port)
  const first = requestText('GET', peer.path.replace('{id}', id), '')
  const end = performance.now() + startsWithinMs
  for (;;) {
    if (child.exitCode !== null)
      throw new Error(`${peer.name} ended with ${child.exitCode} before it answered`)
    const problem = await askOnce(port, first).then(
      () => null,
      (error: Error) => error,
    )
    if (!problem) return server
    if (performance.now() > end) {
      await server.stop()
      throw new Error(`${peer.name} does not answer ${peer.path}`, { cause: problem })
    }
    await pause(200)
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
