import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolders } from '../host/files/make-folders.ts'
import { exits } from './exit-codes.ts'

/**
 * `npm run new-driver -- NAME [VENDOR]` writes the driver of a new card dispenser that does nothing yet, with its contract test, and
 * adds it to the drivers of the build. It changes no file of a driver that is there. Ends with 64 for a name that cannot be one.
 */
const [name = '', vendor = name] = process.argv.slice(2)
const list = 'src/composition/drivers.ts'
/** An import of the files that are written, in which this file would otherwise seem to import. */
const imported = (what: string, path: string) => ['import', what, 'from', `'${path}'`].join(' ')

const device = `${imported('type { Duplex }', 'node:stream')}
${imported('type { CardDispenser }', '../../src/devices/capability.ts')}
${imported('{ DeviceFault }', '../../src/devices/fault.ts')}

/** A dispenser of ${vendor} on an open wire. It does nothing yet. */
export function ${name}(wire: Duplex): CardDispenser {
  return {
    positions: ['encoder', 'front', 'capture'],
    initialise: notYet,
    status: notYet,
    move: notYet,
    entry: notYet,
    close: () => void wire.destroy(),
  }
}

async function notYet(): Promise<never> {
  throw new DeviceFault('unsupported-operation', 'the driver ${name} does nothing yet')
}
`

const declaration = `${imported('{ driver }', '../../src/devices/driver.ts')}
${imported(`{ ${name} }`, './device.ts')}

export default driver({
  name: '${name}',
  models: [],
  vendor: '${vendor}',
  capability: 'dispenser',
  provenance: { known: 'vendor-manual', proven: ['simulator'], probing: 'nothing' },
  serial: { baudRates: [9_600] },
  options: { type: 'object', additionalProperties: false },
  open: ${name},
})
`

const readme = `# ${vendor}

- **How the protocol is known**: to be said.
- **What it has been proven on**: nothing yet.
- **What probing does**: nothing moves.
- **Options**: none.
`

const test = `${imported(`{ ${name} }`, `../../../drivers/${name}/device.ts`)}
${imported('{ dispenserContract, withoutSimulator }', '../dispenser-contract.ts')}

dispenserContract('${name}', {
  open: ${name},
  setUp: withoutSimulator(${name}),
  commands: {
    initialise: { hold: 'reset', capture: 'reset', leave: 'reset' },
    move: { encoder: 'move-encoder', front: 'move-front', capture: 'move-capture' },
  },
  codes: { jam: 'E1', motor: 'E2' },
})
`

const files: Record<string, string> = {
  [`drivers/${name}/device.ts`]: device,
  [`drivers/${name}/driver.ts`]: declaration,
  [`drivers/${name}/README.md`]: readme,
  [`test/drivers/${name}/contract.test.ts`]: test,
}

function refusal(): string | null {
  if (!/^[a-z][a-z\d]{1,29}$/.test(name))
    return 'Name the driver with two to thirty small letters and digits, such as k900.'
  if (/['\\\n]/.test(vendor)) return 'The vendor has no quotation mark, backslash or line break.'
  if (existsSync(`drivers/${name}`)) return `There is a driver ${name} already, in drivers/${name}.`
  return null
}

/** The list of the drivers with this one before the others, and its import in the order of their paths. */
function withDriver(text: string): string {
  const first = 'export const drivers: readonly Driver[] = ['
  if (!text.includes(first)) throw new Error(`${list} has no line that begins with: ${first}`)
  const pathOf = (line: string) => /'(.*)'/.exec(line)![1]!
  const line = imported(name, `../../drivers/${name}/driver.ts`)
  const ofDrivers = text.split('\n').filter((each) => /^import .*'\.\.\/\.\.\/drivers\//.test(each))
  const next = ofDrivers.find((each) => pathOf(each) > pathOf(line))
  const at = next ? text.indexOf(next) : text.indexOf(ofDrivers.at(-1)!) + ofDrivers.at(-1)!.length + 1
  return `${text.slice(0, at)}${line}\n${text.slice(at)}`.replace(first, `${first}${name}, `)
}

const refused = refusal()
if (refused !== null) {
  console.error(refused)
  process.exitCode = exits.usage[0]
} else {
  writeFileSync(list, withDriver(readFileSync(list, 'utf8')))
  for (const [path, text] of Object.entries(files)) {
    makeFolders(dirname(path))
    writeFileSync(path, text)
  }
  console.log([...Object.keys(files), `${list} has it`].join('\n'))
}
