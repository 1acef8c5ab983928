import { parseArgs } from 'node:util'
import { against } from './against.ts'
import { sync } from './catch-up.ts'
import { consolePages } from './console.ts'
import { create } from './create.ts'
import { crowd } from './crowd.ts'
import { openDesks } from './desks.ts'
import { growth } from './growth.ts'
import { issue } from './issue.ts'
import { listPage } from './list-page.ts'
import { machineLine } from './machine.ts'
import type { Line, Setting } from './measure.ts'
import { memory } from './memory.ts'
import { peersIn } from './peers.ts'
import { readOne } from './read-one.ts'
import { search } from './search.ts'
import { slowDisk } from './slow-disk.ts'
import { startUp } from './start-up.ts'
import { tableOf } from './table.ts'
import { writePage } from './write-page.ts'

const measures = [
  readOne,
  listPage,
  search,
  create,
  slowDisk,
  crowd,
  startUp,
  memory,
  issue,
  sync,
  growth,
  consolePages,
  openDesks,
]

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    rounds: { type: 'string' },
    quick: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    against: { type: 'string' },
    peers: { type: 'string' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const help = `npm run bench -- [--only NAME]... [--rounds N] [--quick] [--full] [--write]
       npm run bench -- --against REF [--rounds N] [--quick]
       npm run bench -- --peers FOLDER [--rounds N] [--quick]

Measures the appliance beside bare servers, in rounds that alternate, and prints medians, (least..greatest) and ratios.
--quick   one short round over 10,000 reservations: that it works, not what it says
--against the working tree beside another commit instead, and the ratio of the two; 5 rounds unless said otherwise
--peers   GET of one reservation beside the servers that are installed in a folder and named in its peers.json
--full    lists over 1,000,000 reservations as well, searches among 1,000,000 stays, and what they cost beside 20,000 (growth)
--write   writes the results into the handbook's page of measurements as well; only whole runs from a clean commit
Names: ${measures.map(({ name }) => name).join(', ')}`

if (values.help) {
  console.log(help)
  process.exit(0)
}

const setting: Setting = values.quick
  ? { rounds: 1, seconds: 0.5, size: 10_000, greatSize: null }
  : {
      rounds: Number(values.rounds ?? 3),
      seconds: 1,
      size: 100_000,
      greatSize: values.full ? 1_000_000 : null,
    }

if (values.write && (values.quick || values.only || values.against || values.peers))
  throw new RangeError(help)

const chosen = values.peers
  ? [peersIn(values.peers)]
  : measures.filter(({ name }) => !values.only || values.only.includes(name))
if (chosen.length === 0) throw new RangeError(help)

console.log(`${machineLine()}\n`)
if (values.against) {
  const how = values.quick
    ? { rounds: 1, seconds: 0.5, size: 320 }
    : { rounds: Number(values.rounds ?? 5), seconds: 2, size: 3_200 }
  console.log(await against(values.against, how))
  process.exit(0)
}
const started = performance.now()
const results: [name: string, lines: Line[]][] = []
for (const { name, run } of chosen) {
  process.stderr.write(`${name} ...\n`)
  const lines = await run(setting)
  // At once: a measure that fails takes only its own lines with it.
  console.log(`${tableOf(lines)}\n`)
  results.push([name, lines])
}
if (values.write)
  writePage(results, { machine: machineLine(), seconds: (performance.now() - started) / 1000 })
